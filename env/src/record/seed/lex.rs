//! The words of the source's notation, and the plies they make.

use crate::darkchess::Piece;

/// What a ply does, as its sign says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// `-`
    Step,
    /// `x`
    Take,
    /// `﹋`
    Jump,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    /// A round's number, and whether a dot stands behind it.
    Round(usize, bool),
    /// `○`
    Flip,
    Piece(Piece),
    Sign(Sign),
    /// A square's number.
    Square(u8),
    /// A letter or digit that is nothing else.
    Prose,
}

#[derive(Clone, Copy, Debug)]
struct Word {
    what: What,
    start: usize,
    end: usize,
}

/// A ply as it is written.
#[derive(Clone, Debug)]
pub(super) struct Written {
    /// Line of the text, from 1.
    pub(super) line: usize,
    /// The round's number before it, and whether a dot stood behind that.
    pub(super) round: Option<(usize, bool)>,
    /// What it looks like, prose and spaces inside left out.
    pub(super) text: String,
    pub(super) flip: bool,
    pub(super) piece: Piece,
    pub(super) sign: Option<Sign>,
    pub(super) victim: Option<Piece>,
    pub(super) square: Option<u8>,
    /// Whether a space stands inside.
    pub(super) spaced: bool,
    /// Stray prose before it and inside.
    pub(super) before: Option<String>,
    pub(super) inside: Option<String>,
}

/// The plies of a text and the prose behind the last one, up to the end of its paragraph.
pub(super) struct Text {
    pub(super) plies: Vec<Written>,
    pub(super) after: String,
    pub(super) after_line: usize,
}

fn is_flip(letter: char) -> bool {
    matches!(letter, '○' | '〇' | '◯')
}

fn piece_of(letter: char) -> Option<Piece> {
    Piece::all().find(|piece| piece.character() == letter)
}

fn sign_of(letter: char) -> Option<Sign> {
    match letter {
        '-' | '－' | '—' | '–' => Some(Sign::Step),
        'x' | 'X' | '×' | 'ｘ' => Some(Sign::Take),
        '﹋' | '﹌' | '︿' => Some(Sign::Jump),
        _ => None,
    }
}

fn digit_of(letter: char) -> Option<u32> {
    let wide = (letter as u32).wrapping_sub('０' as u32);
    letter.to_digit(10).or((wide < 10).then_some(wide))
}

/// Where the game begins: at its first round, or else at the first flip. What stands before is no part of it.
pub(super) fn beginning(text: &str) -> Option<usize> {
    let flips = |rest: &str| {
        let mut letters = rest.chars().filter(|letter| !letter.is_whitespace());
        letters.next().is_some_and(is_flip) && letters.next().and_then(piece_of).is_some()
    };
    let round = text.match_indices('1').map(|(at, _)| at).find(|&at| {
        let rest = text[at + 1..].trim_start_matches(['.', '．', '、']);
        rest.len() < text.len() - at - 1 && flips(rest)
    });
    round.or_else(|| text.char_indices().find(|&(at, letter)| is_flip(letter) && flips(&text[at..])).map(|(at, _)| at))
}

fn words(text: &str, start: usize) -> Vec<Word> {
    let letters: Vec<(usize, char)> = text[start..].char_indices().map(|(at, letter)| (start + at, letter)).collect();
    let end_of = |i: usize| letters.get(i).map_or(text.len(), |&(at, _)| at);
    let mut words = Vec::new();
    let mut i = 0;
    while i < letters.len() {
        let (at, letter) = letters[i];
        let spaces = |from: usize| letters[from..].iter().take_while(|(_, c)| c.is_whitespace()).count();
        let mut next = i + 1;
        let what = if is_flip(letter) {
            Some(What::Flip)
        } else if let Some(piece) = piece_of(letter) {
            Some(What::Piece(piece))
        } else if let Some(sign) = sign_of(letter) {
            Some(What::Sign(sign))
        } else if let Some(row) = ['甲', '乙', '丙', '丁'].iter().position(|&row| row == letter) {
            let behind = next + spaces(next);
            let column = letters.get(behind).and_then(|&(_, c)| digit_of(c)).filter(|column| (1..=8).contains(column));
            next = if column.is_some() { behind + 1 } else { next };
            Some(column.map_or(What::Prose, |column| What::Square((row as u32 * 8 + column - 1) as u8)))
        } else if digit_of(letter).is_some() {
            let digits: Vec<u32> = letters[i..].iter().map_while(|&(_, c)| digit_of(c)).take(6).collect();
            next = i + digits.len();
            let number = digits.iter().fold(0, |number, digit| number * 10 + *digit as usize);
            let dotted = matches!(letters.get(next), Some((_, '.' | '．' | '、')));
            next += usize::from(dotted);
            let begins = letters.get(next + spaces(next)).is_some_and(|&(_, c)| is_flip(c) || piece_of(c).is_some());
            Some(if dotted || begins { What::Round(number, dotted) } else { What::Prose })
        } else {
            letter.is_alphanumeric().then_some(What::Prose)
        };
        words.extend(what.map(|what| Word { what, start: at, end: end_of(next) }));
        i = next;
    }
    words
}

/// The plies of a text.
pub(super) fn read(text: &str) -> Option<Text> {
    let words = words(text, beginning(text)?);
    let mut plies: Vec<Written> = Vec::new();
    let mut round = None;
    let mut prose: Option<(usize, usize)> = None;
    let mut end = 0;
    let mut line = (1, 0);
    let mut i = 0;
    while i < words.len() {
        if let What::Round(number, dotted) = words[i].what {
            round = Some((number, dotted));
            i += 1;
            continue;
        }
        let Some((mut ply, next)) = ply(text, &words, i) else {
            prose = Some((prose.map_or(words[i].start, |(start, _)| start), words[i].end));
            i += 1;
            continue;
        };
        line.0 += text[line.1..words[i].start].matches('\n').count();
        line.1 = words[i].start;
        ply.line = line.0;
        ply.round = round.take();
        ply.before = prose.take().map(|(start, end)| text[start..end].to_string());
        plies.push(ply);
        end = words[next - 1].end;
        i = next;
    }
    let after = text[end..].split("\n\n").next().unwrap_or_default();
    Some(Text { plies, after: after.into(), after_line: line.0 + text[line.1..end].matches('\n').count() })
}

/// The ply that begins with a word, and the word behind it.
fn ply(text: &str, words: &[Word], first: usize) -> Option<(Written, usize)> {
    let what = |i: usize| words.get(i).map(|word| word.what);
    let mut i = first;
    let flip = what(i) == Some(What::Flip);
    i += usize::from(flip);
    let Some(What::Piece(piece)) = what(i) else { return None };
    i += 1;
    let mut used: Vec<Word> = words[first..i].to_vec();
    let mut inside = None;
    // Prose may stand inside a ply, but only where the ply goes on behind it.
    let mut past_prose = |i: usize, goes_on: &dyn Fn(What) -> bool| {
        let behind = (i..words.len()).find(|&j| words[j].what != What::Prose)?;
        goes_on(words[behind].what).then(|| {
            if behind > i {
                inside = Some(text[words[i].start..words[behind - 1].end].to_string());
            }
            behind
        })
    };
    let sign = match what(i) {
        Some(What::Sign(sign)) if !flip => Some(sign),
        _ => None,
    };
    let (mut victim, mut square) = (None, None);
    if sign.is_some() {
        used.push(words[i]);
        i += 1;
        // A piece with a sign behind it begins the next ply.
        let victim_at = |j: usize| !matches!(what(j + 1), Some(What::Sign(_)));
        if let Some(at) = past_prose(i, &|what| matches!(what, What::Piece(_))).filter(|&at| victim_at(at))
            && let What::Piece(piece) = words[at].what
        {
            victim = Some(piece);
            used.push(words[at]);
            i = at + 1;
        }
        if let Some(at) = past_prose(i, &|what| matches!(what, What::Square(_)))
            && let What::Square(number) = words[at].what
        {
            square = Some(number);
            used.push(words[at]);
            i = at + 1;
        }
    } else if let Some(What::Square(number)) = what(i) {
        square = Some(number);
        used.push(words[i]);
        i += 1;
    }
    if !flip && sign.is_none() && square.is_none() || sign.is_some() && square.is_none() && victim.is_none() {
        // A piece's name in prose.
        return None;
    }
    let spaced = inside.is_none() && used.windows(2).any(|pair| pair[0].end < pair[1].start)
        || used.iter().any(|word| text[word.start..word.end].contains(char::is_whitespace));
    let letters = |word: &Word| text[word.start..word.end].chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let text = used.iter().map(letters).collect();
    let written =
        Written { line: 0, round: None, text, flip, piece, sign, victim, square, spaced, before: None, inside };
    Some((written, i))
}
