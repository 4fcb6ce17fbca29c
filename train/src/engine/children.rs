//! The programs that run for us. Each leads a group of its own, so that it goes with all that it started, such as the
//! program behind a wrapper script; in return an interrupt from the terminal has to be passed on.

use std::process::{Child, Command};
use std::sync::{Mutex, PoisonError};

/// The running ones.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Puts a program that is about to start at the head of its own group.
pub(super) fn lead(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Notes a program that has started.
pub(super) fn remember(id: u32) {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).push(id);
}

/// Forgets a program that has ended.
pub(super) fn forget(id: u32) {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).retain(|&running| running != id);
}

/// Kills a program and its group.
pub(super) fn kill(child: &mut Child) {
    kill_group(child.id());
    let _ = child.kill();
}

#[cfg(unix)]
fn kill_group(leader: u32) {
    use nix::sys::signal::{Signal, killpg};
    if let Ok(leader) = i32::try_from(leader) {
        // A group that has gone already is no fault.
        let _ = killpg(nix::unistd::Pid::from_raw(leader), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_leader: u32) {}

/// Makes an interrupt end the outside programs before this one: some of them run on for ever when nobody talks to them.
/// For a command that has no handler of its own.
pub fn end_with_us() {
    // Where there is a handler already, that one ends the work, and the programs with it.
    let _ = ctrlc::set_handler(|| {
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|&leader| kill_group(leader));
        std::process::exit(130);
    });
}
