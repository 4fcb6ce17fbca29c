//! Protocol buffers, as much as writing ONNX takes: messages of numbers, bytes and messages.
//!
//! # Source
//! <https://protobuf.dev/programming-guides/encoding/>

/// A message under way. Fields are written in the order of the calls.
#[derive(Debug, Clone, Default)]
pub(super) struct Message(Vec<u8>);

/// How a field's value is written, which stands beside its number.
const VARINT: u64 = 0;
const BYTES: u64 = 2;

impl Message {
    /// A whole number that is not negative.
    pub(super) fn number(mut self, field: u64, value: u64) -> Message {
        self.varint(field << 3 | VARINT);
        self.varint(value);
        self
    }

    /// Text or raw bytes.
    pub(super) fn bytes(mut self, field: u64, value: impl AsRef<[u8]>) -> Message {
        let value = value.as_ref();
        self.varint(field << 3 | BYTES);
        self.varint(value.len() as u64);
        self.0.extend(value);
        self
    }

    /// A message inside this one.
    pub(super) fn message(self, field: u64, value: Message) -> Message {
        self.bytes(field, value.0)
    }

    /// A field as often as there are values.
    pub(super) fn each<T>(self, values: impl IntoIterator<Item = T>, write: impl Fn(Message, T) -> Message) -> Message {
        values.into_iter().fold(self, write)
    }

    /// The message as a file has it.
    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }

    /// Seven bits a byte, the lowest first; the eighth says that more follow.
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the encoding guide.
    #[test]
    fn messages_are_written_as_the_guide_says() {
        let inner = Message::default().number(1, 150);
        assert_eq!(inner.clone().finish(), [0x08, 0x96, 0x01]);
        assert_eq!(Message::default().message(3, inner).finish(), [0x1a, 0x03, 0x08, 0x96, 0x01]);
        let text = Message::default().bytes(2, "testing").finish();
        assert_eq!(text, [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67]);
        assert_eq!(Message::default().number(16, u64::MAX).finish().len(), 2 + 10);
    }
}
