//! Actions, pieces and positions as text, both ways.

use super::board::{Move, NONE, squares_of};
use super::piece::{Colour, Kind, Piece};
use super::position::{Cell, Deal, EMPTY, FACE_DOWN, Position};
use super::rules::{Chain, Family, Repetition};
use super::{DarkChess, State};
use crate::Error;
use crate::game::{Action, Reason, Status};

fn fault(field: &'static str, message: impl Into<String>) -> Error {
    Error::Position { field, message: message.into() }
}

impl DarkChess {
    pub(super) fn name_of(&self, action: Action) -> String {
        match self.board.moves.get(usize::from(action)) {
            Some(&Move::Flip(square)) => self.board.name(square),
            Some(&Move::Step(from, to)) => format!("{}-{}", self.board.name(from), self.board.name(to)),
            Some(Move::Stop) => "stop".into(),
            None => format!("action {action} (they end at {})", self.board.moves.len() - 1),
        }
    }

    pub(super) fn parse_action(&self, name: &str) -> Result<Action, Error> {
        let unknown = || {
            let (rows, cols) = (self.board.rows, self.board.cols);
            let last = (b'a' + rows as u8 - 1) as char;
            Error::Action(format!(
                "'{name}' names no action on the {rows}x{cols} board: expected a flip such as a1, a step or capture \
                 such as a1-a2, or stop; rows a-{last}, columns 1-{cols}"
            ))
        };
        if name == "stop" && self.board.moves.last() == Some(&Move::Stop) {
            return Ok(self.board.moves.len() as Action - 1);
        }
        let square = |text: &str| self.board.parse(text).ok_or_else(unknown);
        let action = match name.split_once(['-', 'x']) {
            None => Action::from(square(name)?),
            Some((from, to)) => self.board.lines[usize::from(square(from)?)][usize::from(square(to)?)],
        };
        if action == Action::MAX { Err(unknown()) } else { Ok(action) }
    }

    pub(super) fn parse_outcome(&self, name: &str) -> Result<Piece, Error> {
        let mut letters = name.chars();
        let piece =
            letters.next().filter(|_| letters.next().is_none()).and_then(|letter| self.rules.family.piece(letter));
        piece.ok_or_else(|| {
            let letters: String = self.kinds().map(|kind| self.rules.family.kind_letter(kind)).collect();
            let small = letters.to_ascii_lowercase();
            let fault = if name.is_empty() { "the piece it shows is missing" } else { "is no piece" };
            Error::Outcome(format!("'{name}' {fault}: expected a letter of {letters} or {small}"))
        })
    }

    /// `<rows> <seat to move> <colour of seat 0> <bag> <quiet> <ply>`, and `last=`, `moves=` where they matter.
    pub(super) fn position_text(&self, position: &Position) -> String {
        let mut text = String::new();
        for row in 0..self.board.rows {
            if row > 0 {
                text.push('/');
            }
            let mut empty = 0;
            for col in 0..self.board.cols {
                let cell = position.cell((row * self.board.cols + col) as u8);
                if cell == Cell::Empty {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(if let Cell::Up(piece) = cell { self.rules.family.letter(piece) } else { 'X' });
            }
            if empty > 0 {
                text += &empty.to_string();
            }
        }
        let bag: String = Piece::all()
            .filter(|&piece| position.unseen(piece) > 0)
            .map(|piece| format!("{}{}", self.rules.family.letter(piece), position.unseen(piece)))
            .collect();
        let colour = position.colour.map_or('-', |colour| self.rules.family.colour_letter(colour));
        let bag = if bag.is_empty() { "-" } else { &bag };
        text += &format!(" {} {colour} {bag} {} {}", position.to_move, position.quiet, position.plies + 1);
        if position.last.0 != NONE {
            text += &format!(" last={}", self.ply_text(position.last));
        }
        if self.window(position).len() > 0 {
            let plies: Vec<String> = self.window(position).map(|ply| self.ply_text(ply)).collect();
            text += &format!(" moves={}", plies.join(","));
        }
        if let Some(square) = position.chain() {
            text += &format!(" chain={}", self.board.name(square));
        }
        if Colour::ALL.iter().any(|&colour| position.chases.squares(colour as usize) != 0) {
            let side = |&colour: &Colour| {
                let one = |square| {
                    format!("{}:{}", self.board.name(square as u8), position.chases.count(colour as usize, square))
                };
                squares_of(position.chases.squares(colour as usize)).map(one).collect::<Vec<_>>().join(",")
            };
            text += &format!(" chase={}", Colour::ALL.each_ref().map(side).join("/"));
        }
        text
    }

    /// A position's text and ` deal=` with the letters under its face-down squares, in order.
    pub(super) fn deal_text(&self, state: &State) -> String {
        let under = squares_of(state.position.all_of(FACE_DOWN));
        let under = under.map(|square| self.rules.family.letter(state.deal.under(square as u8)));
        format!("{} deal={}", self.position_text(&state.position), under.collect::<String>())
    }

    /// Reads what [`DarkChess::deal_text`] wrote: the letters must be the bag's pieces.
    pub(super) fn parse_deal(&self, text: &str) -> Result<State, Error> {
        let (position, letters) = text
            .rsplit_once(" deal=")
            .ok_or_else(|| fault("deal", "missing; a state is a position and deal=letters"))?;
        let position = self.parse_position(position)?;
        let pieces: Option<Vec<Piece>> = letters.chars().map(|letter| self.rules.family.piece(letter)).collect();
        let pieces = pieces.ok_or_else(|| fault("deal", format!("'{letters}': expected letters of pieces")))?;
        let fits = Piece::all()
            .all(|piece| pieces.iter().filter(|&&p| p == piece).count() == usize::from(position.unseen(piece)));
        if !fits {
            return Err(fault("deal", format!("'{letters}' are not the pieces of the bag")));
        }
        Ok(State { deal: Deal::of(&position, &pieces), position })
    }

    fn ply_text(&self, (from, to): (u8, u8)) -> String {
        if from == to { self.board.name(from) } else { format!("{}-{}", self.board.name(from), self.board.name(to)) }
    }

    /// Reads a position and checks that it can occur: piece counts, bag, limits, colours.
    pub(super) fn parse_position(&self, text: &str) -> Result<Position, Error> {
        let mut fields = text.split_ascii_whitespace();
        let mut field = |name| {
            fields.next().ok_or_else(|| {
                fault(name, "missing; a position is rows, seat to move, colour of seat 0, bag, quiet plies, ply")
            })
        };
        let rows = field("rows")?;
        let seat = field("seat to move")?;
        let colour = field("colour of seat 0")?;
        let bag = field("bag")?;
        let quiet = field("quiet plies")?;
        let ply = field("ply")?;

        let mut position = Position::start(&self.rules);
        self.parse_rows(&mut position, rows)?;
        position.to_move = match seat {
            "0" => 0,
            "1" => 1,
            _ => return Err(fault("seat to move", format!("'{seat}': expected 0 or 1"))),
        };
        let letter = |side: &Colour| colour == self.rules.family.colour_letter(*side).to_string();
        position.colour = Colour::ALL.into_iter().find(letter);
        if position.colour.is_none() && colour != "-" {
            let [red, other] = Colour::ALL.map(|side| self.rules.family.colour_letter(side));
            return Err(fault("colour of seat 0", format!("'{colour}': expected {red}, {other} or -")));
        }
        self.parse_bag(&mut position, bag)?;
        let number = |field, text: &str| {
            text.parse::<u32>().map_err(|_| fault(field, format!("'{text}': expected a number of plies")))
        };
        let quiet = number("quiet plies", quiet)?;
        position.plies = number("ply", ply)?
            .checked_sub(1)
            .filter(|&plies| plies < u32::MAX - 10_000)
            .ok_or_else(|| fault("ply", "expected the number of the ply to come, 1 at the start"))?;
        if quiet > position.plies {
            return Err(fault("quiet plies", format!("{quiet} in a row, but only {} were played", position.plies)));
        }
        let limit = u32::from(self.rules.quiet_limit);
        if quiet > if limit == 0 { 60_000 } else { limit } {
            return Err(fault("quiet plies", format!("{quiet}: the quiet limit is {limit}")));
        }
        position.quiet = quiet as u16;
        self.check_colours(&position)?;
        let extras: Vec<&str> = fields.collect();
        for (i, extra) in extras.iter().enumerate() {
            let name = extra.split_once('=').map(|(name, _)| name);
            if extras[..i].iter().any(|before| before.split_once('=').map(|(name, _)| name) == name) {
                return Err(fault("optional fields", format!("'{extra}': this field was given before")));
            }
            match extra.split_once('=') {
                Some(("last", ply)) => position.last = self.parse_ply(ply)?,
                Some(("moves", plies)) => self.parse_window(&mut position, plies)?,
                Some(("chain", square)) => self.parse_chain(&mut position, square)?,
                Some(("chase", chases)) => self.parse_chases(&mut position, chases)?,
                _ => {
                    let message = format!("'{extra}': expected last=, moves=, chain= or chase=");
                    return Err(fault("optional fields", message));
                }
            }
        }
        self.complete(&mut position)?;
        Ok(position)
    }

    /// Works out what follows from a position's other fields: points lost, legal actions, a forced pass, the status.
    pub(super) fn complete(&self, position: &mut Position) -> Result<(), Error> {
        self.recount_lost(position);
        position.legal = self.legal_of(position);
        if position.chain != NONE && position.legal.is_empty() {
            return Err(fault("chain", "the piece can capture nothing more, so its chain is over"));
        }
        if self.rules.family == Family::TombChess && position.legal.is_empty() && position.flips() == 0 {
            self.pass_if_stuck(position);
        }
        position.status = self.status_of(position);
        Ok(())
    }

    fn parse_rows(&self, position: &mut Position, rows: &str) -> Result<(), Error> {
        let (height, width) = (self.board.rows, self.board.cols);
        if rows.split('/').count() != height {
            return Err(fault("rows", format!("expected {height} rows separated by '/'")));
        }
        (0..self.board.squares as u8).for_each(|square| position.set(square, EMPTY));
        for (row, text) in rows.split('/').enumerate() {
            let name = (b'a' + row as u8) as char;
            let mut col = 0;
            for letter in text.chars() {
                let square = (row * width + col) as u8;
                match (letter.to_digit(10), self.rules.family.piece(letter)) {
                    (Some(run), _) => {
                        col += run as usize;
                        continue;
                    }
                    // One too many is named below.
                    _ if col >= width => {}
                    (_, Some(piece)) => position.set(square, piece.0),
                    _ if letter == 'X' => position.set(square, FACE_DOWN),
                    _ => return Err(fault("rows", format!("row {name}: '{letter}' is no piece, X or digit"))),
                }
                col += 1;
            }
            if col != width {
                return Err(fault("rows", format!("row {name}: '{text}' does not fill {width} columns")));
            }
        }
        Ok(())
    }

    fn parse_bag(&self, position: &mut Position, text: &str) -> Result<(), Error> {
        position.bag = Default::default();
        let mut rest = if text == "-" { "" } else { text };
        while let Some(letter) = rest.chars().next() {
            let wrong = || fault("bag", format!("'{text}': expected letters with counts such as K1P5k1, or -"));
            let piece = self.rules.family.piece(letter).ok_or_else(wrong)?;
            let digits = rest[1..].chars().take_while(char::is_ascii_digit).count();
            let count: u8 = rest[1..=digits].parse().map_err(|_| wrong())?;
            let slot = position.bag_of(piece);
            if *slot != 0 {
                return Err(wrong());
            }
            *slot = count;
            rest = &rest[1 + digits..];
        }
        self.count_pieces(position)
    }

    /// Counts the living from cells and bag, and checks that the rules have so many.
    pub(super) fn count_pieces(&self, position: &mut Position) -> Result<(), Error> {
        let mut unseen = 0;
        position.face_down = position.all_of(FACE_DOWN).count_ones() as u8;
        position.alive = [0; 2];
        for piece in Piece::all() {
            let (colour, kind) = (piece.colour() as usize, piece.kind() as usize);
            let up = position.all_of(piece.0).count_ones();
            let count = u32::from(position.unseen(piece));
            if up + count > u32::from(self.rules.pieces[kind]) {
                let most = self.rules.pieces[kind];
                let letter = self.rules.family.letter(piece);
                return Err(fault("bag", format!("{letter}: {up} face up and {count} unseen, but a side has {most}")));
            }
            unseen += count;
            position.alive[colour] += (up + count) as u8;
        }
        if unseen != position.face_down() {
            let squares = position.face_down();
            return Err(fault("bag", format!("{unseen} unseen pieces for {squares} face-down squares")));
        }
        Ok(())
    }

    pub(super) fn check_colours(&self, position: &Position) -> Result<(), Error> {
        let untouched = position.face_down() == self.board.squares as u32;
        let fixed = self.rules.family == Family::TombChess;
        match position.colour {
            None if fixed => Err(fault("colour of seat 0", "'-', but colours are fixed here: expected r or g")),
            None if !untouched => Err(fault("colour of seat 0", "'-', but a piece was turned up: expected r or b")),
            Some(_) if untouched && !fixed => Err(fault("colour of seat 0", "no piece was turned up yet: expected -")),
            _ if untouched && position.plies > 0 => Err(fault("ply", "everything is face down: expected 1")),
            _ if !untouched && position.plies == 0 => Err(fault("ply", "a piece was turned up: expected at least 2")),
            _ if untouched && position.to_move != 0 => {
                Err(fault("seat to move", "the first ply is seat 0's: expected 0"))
            }
            _ if position.alive == [0, 0] => Err(fault("rows", "no piece is left")),
            _ => Ok(()),
        }
    }

    fn parse_chain(&self, position: &mut Position, text: &str) -> Result<(), Error> {
        if self.rules.chain == Chain::None {
            return Err(fault("chain", "these rules have no chains"));
        }
        let square = self.board.parse(text).ok_or_else(|| fault("chain", format!("'{text}' is no square")))?;
        self.start_chain(position, square)
    }

    /// Gives the turn to the piece on a square alone.
    pub(super) fn start_chain(&self, position: &mut Position, square: u8) -> Result<(), Error> {
        if self.rules.chain == Chain::None || usize::from(square) >= self.board.squares {
            return Err(fault("chain", "these rules have no such chain"));
        }
        match position.cell(square) {
            Cell::Up(piece) if piece.colour() as usize == position.mover() && position.quiet == 0 => {
                position.chain = square;
                Ok(())
            }
            _ => {
                let name = self.board.name(square);
                Err(fault("chain", format!("{name} holds no piece of the seat to move that has just captured")))
            }
        }
    }

    /// `c4:3,d2:1/a1:2`: what red chases and how often in a row, then what the other colour chases.
    fn parse_chases(&self, position: &mut Position, text: &str) -> Result<(), Error> {
        let wrong = |what: &str| fault("chase", format!("'{what}': expected square:count,.. of red / of the other"));
        if self.rules.chase_limit == 0 {
            return Err(fault("chase", "these rules have no chase limit"));
        }
        let (red, other) = text.split_once('/').ok_or_else(|| wrong(text))?;
        for (colour, part) in [red, other].into_iter().enumerate() {
            for one in part.split(',').filter(|one| !one.is_empty()) {
                let (square, count) = one.split_once(':').ok_or_else(|| wrong(one))?;
                let square = self.board.parse(square).ok_or_else(|| wrong(one))?;
                let count = count.parse().ok().filter(|n| (1..self.rules.chase_limit).contains(n));
                match position.cell(square) {
                    Cell::Up(piece) if piece.colour() as usize != colour => {
                        position.chases.set(colour, square, count.ok_or_else(|| wrong(one))?);
                    }
                    _ => return Err(fault("chase", format!("{one}: no enemy piece stands there"))),
                }
            }
        }
        Ok(())
    }

    fn parse_ply(&self, text: &str) -> Result<(u8, u8), Error> {
        match self.board.moves
            [usize::from(self.parse_action(text).map_err(|e| fault("optional fields", e.to_string()))?)]
        {
            Move::Flip(square) => Ok((square, square)),
            Move::Step(from, to) => Ok((from, to)),
            Move::Stop => Err(fault("optional fields", "stop moves no piece")),
        }
    }

    /// Takes the window's plies back from the position and plays them again, so that the repetition rules
    /// know them.
    fn parse_window(&self, position: &mut Position, text: &str) -> Result<(), Error> {
        let plies = text.split(',').map(|ply| self.parse_ply(ply)).collect::<Result<Vec<_>, _>>()?;
        let wrong = |i: usize, why: &str| fault("moves", format!("ply {} of {}: {why}", i + 1, plies.len()));
        if self.rules.repetition == Repetition::None {
            return Err(fault("moves", "these rules have no repetition rule, so no quiet plies are kept"));
        }
        if plies.len() > usize::from(position.quiet) {
            return Err(fault("moves", format!("{} plies, but only {} were quiet", plies.len(), position.quiet)));
        }
        for (i, &(from, to)) in plies.iter().enumerate().rev() {
            let piece = position.cell(to);
            if position.cell(from) != Cell::Empty || !matches!(piece, Cell::Up(_)) {
                return Err(wrong(i, "cannot be taken back from this position"));
            }
            position.swap(from, to);
        }
        let last = position.to_move;
        for (i, &(from, to)) in plies.iter().enumerate() {
            if position.history.repeats == 2 {
                return Err(wrong(i, "the game was drawn by repetition before it"));
            }
            let action = self.board.lines[usize::from(from)][usize::from(to)];
            let Cell::Up(piece) = position.cell(from) else { return Err(wrong(i, "no piece stands there")) };
            // Seats take turns; only Tomb Chess has passes.
            let seat = last ^ ((plies.len() - i) % 2) as u8;
            let turn = self.rules.family == Family::TombChess || position.colour_of(seat) == Some(piece.colour());
            if !turn || action >= self.board.first_far {
                return Err(wrong(i, "no step of the seat whose turn it was"));
            }
            position.swap(from, to);
            let returns = self.remember(position, action);
            let next = plies.get(i + 1).map(|&(from, _)| position.cell(from));
            position.to_move = match next {
                Some(Cell::Up(piece)) => u8::from(position.colour_of(0) != Some(piece.colour())),
                _ => last,
            };
            position.history.repeats = if returns { self.repeats(position) } else { 0 };
        }
        Ok(())
    }

    /// A position's status by the checks after a ply. In a position given by hand the seat to move may have won.
    fn status_of(&self, position: &Position) -> Status {
        if position.colour.is_none() {
            return Status::Ongoing;
        }
        let actor = if position.chain == NONE { position.to_move ^ 1 } else { position.to_move };
        if position.alive[position.mover() ^ 1] == 0 {
            return Status::Win(position.to_move, Reason::Eliminated);
        }
        self.status_after::<false>(position, actor)
    }

    /// The letters of a side's kinds in play, for messages and documents.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        let pieces = self.rules.pieces;
        Kind::ALL.into_iter().filter(move |&kind| pieces[kind as usize] > 0)
    }
}
