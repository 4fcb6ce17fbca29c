//! Tells the program which revision of its source it was built from, for the cards of checkpoints.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=../.git/HEAD");
    println!("cargo:rerun-if-changed=../.git/refs/heads");
    // Without git, or outside a checkout, a card says nothing of it.
    let output = Command::new("git").args(["rev-parse", "--short=12", "HEAD"]).output();
    if let Ok(output) = output
        && output.status.success()
        && let Ok(revision) = String::from_utf8(output.stdout)
    {
        println!("cargo:rustc-env=ANQI_REVISION={}", revision.trim());
    }
}
