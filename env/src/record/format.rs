//! The formats of records, and which one a text is in.

use super::defect::Defect;
use super::{Record, misty};
use crate::Error;

/// A format of game records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Header lines and numbered rounds; read and written.
    Anqi,
    /// Records of the Taiwanese computer games association: `1. a7(K) a8(p)`; read.
    Tcga,
    /// A tournament platform's log: lines that begin with `* `; read and written.
    Ntu,
    /// The source's own records: `○仕甲3`, `相-丙5`, `相x卒丙5`, `包﹋兵丁8`; read.
    Seed,
    /// QQ's Junqi replays, files of bytes; read.
    Jgs,
    /// Positions of an engine, FEN and UCI moves, on files a-h and ranks 1-4; read.
    Misty,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 6] = [Format::Anqi, Format::Tcga, Format::Ntu, Format::Seed, Format::Jgs, Format::Misty];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Anqi => "anqi",
            Format::Tcga => "tcga",
            Format::Ntu => "ntu",
            Format::Seed => "seed",
            Format::Jgs => "jgs",
            Format::Misty => "misty",
        }
    }

    /// The format of a name.
    ///
    /// # Errors
    /// An unknown name; the known ones are listed.
    pub fn parse(name: &str) -> Result<Format, Error> {
        Format::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| Error::BadOption {
            name: "format".into(),
            value: name.into(),
            expected: format!("expected {}", Format::ALL.map(Format::name).join(", ")),
        })
    }

    /// The rules of a record that does not name any.
    pub(super) fn default_rules(self) -> &'static str {
        match self {
            // The document that fixes the notation has rules of its own.
            Format::Seed => "darkchess:zhengba",
            Format::Jgs => super::qq::RULES,
            Format::Anqi | Format::Tcga | Format::Ntu | Format::Misty => "darkchess",
        }
    }

    /// The format of a text, by marks that no other format has.
    ///
    /// # Errors
    /// No such mark, or those of several formats: the formats that it might be are named. Rounds alone, such as
    /// `1. b3(n) c3(K)`, are in the `anqi` form and in TCGA records alike; a board of files a-h and ranks 1-4 is
    /// that of other programs and reads otherwise.
    pub fn detect(text: &str) -> Result<Format, Error> {
        let marked: Vec<(Format, usize)> =
            Format::ALL.into_iter().filter_map(|format| Some((format, format.mark(text)?))).collect();
        let fault = |line, message: String| Err(Error::Record { line, ply: None, message });
        match marked[..] {
            [(format, _)] => Ok(format),
            [(_, line), ..] => {
                let names: Vec<&str> = marked.iter().map(|(format, _)| format.name()).collect();
                fault(line, format!("marks of several formats: {}; say which one it is", names.join(" and ")))
            }
            [] => match text.lines().position(begins_round) {
                Some(line) => fault(
                    line + 1,
                    "rounds without a header or names: this might be anqi or tcga (4 letters, 8 digits) or, with \
                         files a-h and ranks 1-4, a format that is not read; say which one it is"
                        .into(),
                ),
                None => fault(1, "no mark of a format: known formats are anqi, tcga, ntu, seed, jgs, misty".into()),
            },
        }
    }

    /// The format of a file: by its first bytes, or by the marks of its text as [`Format::detect`].
    ///
    /// # Errors
    /// As there, and bytes that are no text.
    pub fn of_file(bytes: &[u8]) -> Result<Format, Error> {
        if super::jgs::is(bytes) {
            return Ok(Format::Jgs);
        }
        Format::detect(super::text_of(bytes)?)
    }

    /// The line of the first unmistakable mark of this format.
    fn mark(self, text: &str) -> Option<usize> {
        let first = |is: &dyn Fn(&str) -> bool| text.lines().position(|line| is(line.trim())).map(|line| line + 1);
        match self {
            // Other games have headers of this form too, but not these.
            Format::Anqi => first(&|line| line.starts_with("[Game \"") || line.starts_with("[Rules \"")),
            Format::Ntu => first(&|line| line.strip_prefix("* ").is_some_and(begins_round)),
            Format::Tcga => {
                let names = first(&|line| !line.starts_with(['*', '[', '{']) && line.contains(" vs "))?;
                text.lines().skip(names).any(begins_round).then_some(names)
            }
            Format::Seed => super::seed::mark(text),
            // It is no text.
            Format::Jgs => None,
            Format::Misty => first(&misty::is_position),
        }
    }
}

fn begins_round(line: &str) -> bool {
    line.split_whitespace().next().and_then(super::rounds::number).is_some()
}

/// A record as it was read, and what was wrong with it.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What could be read.
    pub record: Record,
    /// What is wrong, in the order of the text.
    pub defects: Vec<Defect>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unmistakable_marks_count() {
        for (text, format) in [
            ("[Rules \"darkchess\"]\n1. a1(K)\n", Format::Anqi),
            ("Lee vs Chen (Lee plays first)\n1. a7(K) a8(p)\n", Format::Tcga),
            ("* A vs B\n* 1. a7(K)\n", Format::Ntu),
            ("1.○仕甲3 ○包丁6", Format::Seed),
            ("position fen XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX - G1A2E2R2H2C2S5g1a2e2r2h2c2s5 0 1", Format::Misty),
            ("8/8/8/G6s r - 3 40", Format::Misty),
        ] {
            assert_eq!(Format::detect(text), Ok(format), "{text}");
        }
        for (text, says) in [
            ("1. a7(K) a8(p)\n", "line 1: rounds without a header or names: this might be anqi or tcga"),
            ("\n\n1. c3-c4 h1-h2\n", "line 3: rounds without"),
            ("[Rules \"darkchess\"]\n* 1. a7(K)\n", "several formats: anqi and ntu"),
            ("8/8/8/K6p 0 r - 3 40", "no mark of a format"),
            ("[Event \"chess\"]\n\n1. a4 a5\n", "line 3: rounds without"),
            ("* one thing\n* another\n", "no mark of a format"),
            ("", "no mark of a format"),
        ] {
            let fault = Format::detect(text).unwrap_err().to_string();
            assert!(fault.contains(says), "{text}: {fault}");
        }
    }
}
