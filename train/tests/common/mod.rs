//! The binary as tests call it.

#![allow(dead_code, reason = "each test program uses some of it")]

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// A training run small enough for a test.
pub(crate) const TINY: &[&str] = &[
    "--set",
    "net.width=32",
    "--set",
    "net.depth=1",
    "--set",
    "rollout.games=32",
    "--set",
    "rollout.group=16",
    "--set",
    "rollout.plies=8",
    "--set",
    "ppo.minibatch=64",
    "--set",
    "ppo.micro_batch=32",
    "--set",
    "eval.final_pairs=4",
];

pub(crate) fn anqi(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_anqi")).args(args).output().unwrap()
}

pub(crate) fn tiny_train(args: &[&str]) -> Output {
    anqi(&[&["train"], TINY, args].concat())
}

pub(crate) fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The one line that a bad input gets, with status 2.
pub(crate) fn refusal(args: &[&str]) -> String {
    let output = anqi(args);
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
    assert_eq!(text.trim_end().lines().count(), 1, "{args:?}: {text}");
    text
}

pub(crate) fn json(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(&anqi(&[args, &["--json", "-"]].concat()))).unwrap()
}

pub(crate) fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}
