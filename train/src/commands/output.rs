//! What commands print, as text or as JSON, and how they fail.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::JsonArgs;

/// Why a command ends with a status other than 0.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Unusable arguments or input: status 2.
    #[error("{0}")]
    Input(String),
    /// The work itself failed: status 1.
    #[error("{0}")]
    Work(String),
}

impl Failure {
    pub(super) fn status(&self) -> u8 {
        match self {
            Failure::Input(_) => 2,
            Failure::Work(_) => 1,
        }
    }

    /// Unusable input.
    pub(super) fn input(fault: impl std::fmt::Display) -> Failure {
        Failure::Input(fault.to_string())
    }

    /// Failed work.
    pub(super) fn work(fault: impl std::fmt::Display) -> Failure {
        Failure::Work(fault.to_string())
    }
}

/// Standard output for people, unless JSON goes there.
pub(super) struct Output<'a> {
    json: Option<&'a Path>,
}

impl<'a> Output<'a> {
    pub(super) fn new(args: &'a JsonArgs) -> Self {
        Output { json: args.json.as_deref() }
    }

    /// Whether standard output is for JSON alone.
    pub(super) fn json_on_stdout(&self) -> bool {
        self.json == Some(Path::new("-"))
    }

    /// Prints a line for people.
    pub(super) fn line(&self, text: impl std::fmt::Display) {
        if !self.json_on_stdout() {
            // A reader that has gone away, such as `head`, is no fault of ours.
            let _ = writeln!(io::stdout(), "{text}");
        }
    }

    /// Prints rows with their columns aligned: the first to the left, the others to the right.
    pub(super) fn table(&self, rows: &[Vec<String>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width =
            |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        for row in rows {
            let cell = |(i, cell): (usize, &String)| match i {
                0 => format!("{cell:<0$}", widths[0]),
                _ => format!("{cell:>0$}", widths[i]),
            };
            self.line(row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end());
        }
    }

    /// Writes the figures where `--json` says.
    pub(super) fn figures(&self, figures: &impl Serialize) -> Result<(), Failure> {
        let Some(path) = self.json else { return Ok(()) };
        let text = serde_json::to_string_pretty(figures).map_err(Failure::work)? + "\n";
        if self.json_on_stdout() {
            let _ = io::stdout().write_all(text.as_bytes());
            return Ok(());
        }
        write_file("--json", path, text.as_bytes())
    }
}

/// Finds out whether the file that an option names can be written, before there is anything to lose.
pub(super) fn check_file(option: &str, path: Option<&PathBuf>) -> Result<(), Failure> {
    let Some(path) = path.filter(|path| **path != Path::new("-")) else { return Ok(()) };
    let fault = |fault: io::Error| Failure::Input(format!("{option} {}: {fault}", path.display()));
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    match target.metadata() {
        Ok(found) if found.is_dir() => Err(fault(io::ErrorKind::IsADirectory.into())),
        Ok(found) if !found.is_file() => Ok(()),
        _ => tempfile::tempfile_in(folder_of(&target)).map(drop).map_err(fault),
    }
}

/// The folder that a file lies in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes the file that an option names, whole or not at all.
pub(super) fn write_file(option: &str, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let fault = |fault: io::Error| Failure::Input(format!("{option} {}: {fault}", path.display()));
    // A renamed file would take the place of a link or a device, such as /dev/null, rather than go through it.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    if target.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return std::fs::write(&target, bytes).map_err(fault);
    }
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder_of(&target)).map_err(fault)?;
    file.write_all(bytes).map_err(fault)?;
    file.persist(&target).map_err(|e| fault(e.error))?;
    Ok(())
}

/// `12,345,678`
pub(super) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The day as records have it: `2026-01-31`, in universal time.
pub(super) fn today() -> String {
    let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(seconds / 86_400)
}

/// The date so many days after 1970-01-01, counted in eras of 400 years that begin in March.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (19_782, "2024-02-29"),
            (20_787, "2026-11-30"),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
