//! TensorBoard event files: framed protocol buffers, written by hand because only two messages are needed.
//!
//! Source: TensorFlow's `record_writer` (framing, masked CRC-32C) and `event.proto`, `summary.proto`.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// An open event file.
pub struct EventWriter {
    file: BufWriter<File>,
}

impl EventWriter {
    /// Starts a new event file in a folder, with a name that no earlier one has.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(folder: &Path) -> io::Result<EventWriter> {
        let seconds = now();
        let name = |number: u32| folder.join(format!("events.out.tfevents.{:010}.anqi.{number}", seconds as u64));
        let mut number = 0;
        let file = loop {
            match File::create_new(name(number)) {
                Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => number += 1,
                opened => break opened?,
            }
        };
        let mut writer = EventWriter { file: BufWriter::new(file) };
        let mut event = Message::default();
        event.double(1, seconds);
        event.bytes(3, b"brain.Event:2");
        writer.record(&event.0)?;
        Ok(writer)
    }

    /// Adds figures at a step.
    ///
    /// # Errors
    /// What the system says.
    pub fn scalars(&mut self, step: i64, figures: &[(&str, f32)]) -> io::Result<()> {
        let mut summary = Message::default();
        for (tag, value) in figures {
            let mut figure = Message::default();
            figure.bytes(1, tag.as_bytes());
            figure.float(2, *value);
            summary.bytes(1, &figure.0);
        }
        let mut event = Message::default();
        event.double(1, now());
        event.varint(2, step as u64);
        event.bytes(5, &summary.0);
        self.record(&event.0)
    }

    /// Puts everything written so far on disk.
    ///
    /// # Errors
    /// What the system says.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    /// Length, its checksum, data, its checksum.
    fn record(&mut self, data: &[u8]) -> io::Result<()> {
        let length = (data.len() as u64).to_le_bytes();
        self.file.write_all(&length)?;
        self.file.write_all(&masked_crc(&length).to_le_bytes())?;
        self.file.write_all(data)?;
        self.file.write_all(&masked_crc(data).to_le_bytes())
    }
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

/// A protocol buffer message.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn key(&mut self, field: u64, wire: u64) {
        self.raw_varint(field << 3 | wire);
    }

    fn raw_varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn varint(&mut self, field: u64, value: u64) {
        self.key(field, 0);
        self.raw_varint(value);
    }

    fn double(&mut self, field: u64, value: f64) {
        self.key(field, 1);
        self.0.extend(value.to_le_bytes());
    }

    fn bytes(&mut self, field: u64, value: &[u8]) {
        self.key(field, 2);
        self.raw_varint(value.len() as u64);
        self.0.extend(value);
    }

    fn float(&mut self, field: u64, value: f32) {
        self.key(field, 5);
        self.0.extend(value.to_le_bytes());
    }
}

/// CRC-32C, rotated and shifted so that checksums of data that hold checksums stay useful.
fn masked_crc(data: &[u8]) -> u32 {
    crc32c(data).rotate_right(15).wrapping_add(0xa282_ead8)
}

fn crc32c(data: &[u8]) -> u32 {
    !data.iter().fold(!0, |crc: u32, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0x82f6_3b78 & (crc & 1).wrapping_neg()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_of_the_standard() {
        // RFC 3720, B.4.
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[0xff; 32]), 0x62a8_ab43);
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
    }

    #[test]
    fn every_frame_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            let mut writer = EventWriter::create(folder.path()).unwrap();
            writer.scalars(300, &[("loss/value", 0.5), ("speed", 2.0)]).unwrap();
            writer.flush().unwrap();
        }
        let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(files.len(), 2, "a second start writes a file of its own");
        let bytes = std::fs::read(&files[0]).unwrap();
        let mut rest = &bytes[..];
        let mut events = Vec::new();
        while !rest.is_empty() {
            let length = u64::from_le_bytes(rest[..8].try_into().unwrap()) as usize;
            let number = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().unwrap());
            assert_eq!(number(8), masked_crc(&rest[..8]));
            assert_eq!(number(12 + length), masked_crc(&rest[12..12 + length]));
            events.push(rest[12..12 + length].to_vec());
            rest = &rest[16 + length..];
        }
        assert_eq!(events.len(), 2);
        assert!(events[0].ends_with(b"brain.Event:2"));
        let figure = [&[0x0a, 5][..], b"speed", &[0x15, 0, 0, 0, 0x40]].concat();
        assert!(events[1].ends_with(&figure), "{:?}", events[1]);
    }
}
