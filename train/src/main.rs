//! The command `anqi`: see `anqi --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    anqi_train::commands::run()
}
