//! Reads the texts that `text` writes, and checks them.

use super::piece::{Kind, PIECES};
use super::signal::{Said, Signal, Talk};
use super::text::{Ranks, fault};
use super::view::{Out, Piece, Public, State, View, enemies, has, insert, piece_of, seat_of};
use super::{Junqi, NOWHERE, Seats};
use crate::Error;
use crate::game::{Reason, Seat, Status};

/// What a text says.
struct Read {
    public: Public,
    ranks: Ranks,
    seen: Option<Seat>,
    talk: Talk,
}

impl Junqi {
    pub(super) fn read_view(&self, text: &str) -> Result<View, Error> {
        let read = self.read_public(text)?;
        let Some(seat) = read.seen else {
            return fault("seen", "it is missing; expected whose view it is, such as seen=S");
        };
        let mut told = Vec::new();
        for other in 0..self.seats() {
            for slot in 0..PIECES {
                let piece = piece_of(other, slot);
                let rank = read.ranks[usize::from(other)][slot];
                if self.sees(seat, other) && self.is_placed(&read.public, piece) && rank.is_none() {
                    let (viewer, owner) = (self.seat_letter(seat), self.seat_letter(other));
                    return fault("pieces", format!("{viewer} sees the ranks of {owner}; expected no '?' there"));
                }
                told.extend(rank.map(|kind| (piece, kind)));
            }
        }
        let Some(mut view) = self.believe(&read.public, seat, &told) else {
            return fault("pieces", "the ranks do not fit with what happened to the pieces");
        };
        view.hear(&read.talk);
        if view.said != read.talk {
            return fault("said", format!("{} hears its own team only", self.seat_letter(seat)));
        }
        self.check_going_on(&view)?;
        Ok(view)
    }

    pub(super) fn read_state(&self, text: &str) -> Result<State, Error> {
        let read = self.read_public(text)?;
        if read.seen.is_some() {
            return fault("seen", "a state is seen by nobody; this is a view");
        }
        let mut kinds = [[Kind::Flag; PIECES]; 4];
        for seat in 0..self.seats() {
            for (slot, known) in kinds[usize::from(seat)].iter_mut().enumerate() {
                match read.ranks[usize::from(seat)][slot] {
                    Some(kind) => *known = kind,
                    None if self.is_placed(&read.public, piece_of(seat, slot)) => {
                        return fault(
                            "pieces",
                            format!("{}: a state knows all ranks; expected no '?'", self.seat_letter(seat)),
                        );
                    }
                    None => {}
                }
            }
        }
        let Some(state) = self.state_of(&read.public, &kinds, |_, _| false) else {
            return fault("pieces", "the ranks do not fit with what happened to the pieces");
        };
        let state = state.with_talk(&read.talk);
        (0..self.seats()).try_for_each(|seat| self.check_going_on(&state.views[usize::from(seat)]))?;
        Ok(state)
    }

    /// Whether the view's own seat can go on as the position says.
    fn check_going_on(&self, view: &View) -> Result<(), Error> {
        let public = &view.public;
        let seat = usize::from(view.seat);
        if !public.status.is_ongoing() || self.next_slot(public).is_some() || public.out[seat].is_some() {
            return Ok(());
        }
        let movers = self.movers(view, view.seat).all;
        if movers == 0 || (public.to_move == view.seat && !self.can_move(public, view.seat, movers)) {
            let letter = self.seat_letter(view.seat);
            return fault("pieces", format!("{letter} plays, but has no move; expected it in out="));
        }
        Ok(())
    }

    fn read_public(&self, text: &str) -> Result<Read, Error> {
        let mut read = Read { public: Public::empty(), ranks: [[None; PIECES]; 4], seen: None, talk: [None; 4] };
        let mut found: Vec<&str> = Vec::new();
        let mut pieces: Seats<Option<&str>> = [None; 4];
        for field in text.split_whitespace() {
            let Some((key, value)) = field.split_once('=') else {
                return fault("fields", format!("'{field}': expected name=value"));
            };
            if found.contains(&key) {
                return fault("fields", format!("{key}= stands twice"));
            }
            found.push(key);
            self.read_field(&mut read, &mut pieces, key, value)?;
        }
        for key in ["turn", "ply", "quiet"] {
            if !found.contains(&key) {
                return fault("fields", format!("{key}= is missing"));
            }
        }
        for seat in 0..self.seats() {
            let Some(value) = pieces[usize::from(seat)] else {
                return fault("pieces", format!("{}= is missing", self.seat_letter(seat)));
            };
            self.read_pieces(&mut read, seat, value)?;
        }
        self.finish(&mut read.public)?;
        self.check_talk(&read)?;
        Ok(read)
    }

    fn read_field<'a>(
        &self,
        read: &mut Read,
        pieces: &mut Seats<Option<&'a str>>,
        key: &str,
        value: &'a str,
    ) -> Result<(), Error> {
        let seat = |text: &str| text.chars().next().filter(|_| text.len() == 1).and_then(|c| self.seat_of_letter(c));
        let public = &mut read.public;
        let seats = usize::from(self.seats());
        let each = |field| -> Result<Vec<&str>, Error> {
            let parts: Vec<&str> = value.split(',').collect();
            match parts.len() == seats {
                true => Ok(parts),
                false => fault(field, format!("'{value}': expected {seats} parts, separated by ','")),
            }
        };
        match key {
            "seen" | "turn" => {
                let Some(found) = seat(value) else { return fault("turn", format!("'{value}' is no seat")) };
                if key == "seen" { read.seen = Some(found) } else { public.to_move = found }
            }
            "ply" => match value.parse() {
                Ok(plies) => public.plies = plies,
                Err(_) => return fault("ply", format!("'{value}': expected a number of plies")),
            },
            "quiet" => match value.parse() {
                Ok(quiet) => public.quiet = quiet,
                Err(_) => return fault("quiet", format!("'{value}': expected a number of plies")),
            },
            "last" => {
                for (index, part) in each("last")?.into_iter().enumerate().filter(|(_, part)| *part != "-") {
                    let ends = part.split_once('-');
                    let station = |name: &str| self.board.graph.station(name);
                    let Some((Some(from), Some(to))) = ends.map(|(from, to)| (station(from), station(to))) else {
                        return fault("last", format!("'{part}': expected two stations, such as S15-E11"));
                    };
                    public.last[index] = [from, to];
                }
            }
            "out" => {
                for (index, part) in each("out")?.into_iter().enumerate().filter(|(_, part)| *part != "-") {
                    public.out[index] = Out::ALL.into_iter().find(|out| out.name() == part);
                    if public.out[index].is_none() {
                        return fault("out", format!("'{part}': expected {}", Out::ALL.map(Out::name).join(", ")));
                    }
                }
            }
            "late" => {
                for (index, part) in each("late")?.into_iter().enumerate() {
                    let Ok(count) = part.parse() else { return fault("late", format!("'{part}': expected a number")) };
                    public.time_outs[index] = count;
                }
            }
            "said" => {
                for (index, part) in each("said")?.into_iter().enumerate().filter(|(_, part)| *part != "-") {
                    let (name, now) = part.strip_suffix('!').map_or((part, false), |name| (name, true));
                    let Some(signal) = Signal::of_name(name) else {
                        return fault("said", format!("'{part}': expected a signal, such as 37+, or -"));
                    };
                    read.talk[index] = Some(Said { signal, now });
                }
            }
            "over" => {
                let (who, why) = value.split_once(':').unwrap_or((value, ""));
                let reason = Reason::ALL.into_iter().find(|reason| reason.name() == why);
                public.status = match (reason, who, seat(who)) {
                    (Some(reason), "draw", _) => Status::Draw(reason),
                    (Some(reason), _, Some(winner @ 0..=1)) => Status::Win(winner, reason),
                    _ => {
                        return fault("over", format!("'{value}': expected who won, or draw, and why, such as S:flag"));
                    }
                };
            }
            _ => match seat(key) {
                Some(seat) => pieces[usize::from(seat)] = Some(value),
                None => return fault("fields", format!("{key}= is unknown")),
            },
        }
        Ok(())
    }

    /// Whether seats can have said so.
    fn check_talk(&self, read: &Read) -> Result<(), Error> {
        let public = &read.public;
        for seat in 0..self.seats() {
            let index = usize::from(seat);
            let Some(said) = read.talk[index] else { continue };
            let letter = self.seat_letter(seat);
            if !self.rules.signals {
                return fault("said", "signals are given with signals=yes only");
            }
            if public.out[index].is_some() || self.next_slot(public).is_some() {
                return fault("said", format!("{letter} does not play; expected -"));
            }
            if said.now && seat != public.to_move {
                return fault("said", format!("{letter} is not to move; expected no '!'"));
            }
        }
        Ok(())
    }

    /// The piece that stood on a station of a name at first.
    fn piece_of_home(&self, name: &str) -> Option<Piece> {
        let station = self.board.graph.station(name)?;
        (0..self.seats()).find_map(|seat| {
            let slot = self.board.homes[usize::from(seat)].iter().position(|&home| home == station)?;
            Some(piece_of(seat, slot))
        })
    }

    fn read_pieces(&self, read: &mut Read, seat: Seat, value: &str) -> Result<(), Error> {
        let letter = self.seat_letter(seat);
        let (ranks, fates) = value.split_once(':').unwrap_or((value, ""));
        if ranks.chars().count() != PIECES {
            return fault("pieces", format!("{letter}: expected 25 letters before the ':'"));
        }
        for (slot, rank) in ranks.chars().enumerate() {
            let kind = Kind::of_letter(rank);
            if kind.is_none() && rank != '?' {
                return fault("pieces", format!("{letter}: '{rank}' is no rank, nor '?'"));
            }
            if kind.is_some_and(|kind| self.allowed[slot] & kind.bit() == 0) {
                let home = self.station_name(self.home(piece_of(seat, slot)));
                return fault("pieces", format!("'{rank}' cannot be set up on {home}"));
            }
            read.ranks[usize::from(seat)][slot] = kind;
        }
        let mut slot = 0;
        for token in fates.split(',') {
            let body = token.trim_end_matches(['~', '\'', '!', '$', '^']);
            let marks = &token[body.len()..];
            let count: usize = match body.bytes().all(|byte| byte.is_ascii_digit()) {
                true => body.parse().unwrap_or(0),
                false => 1,
            };
            if count == 0 || slot + count > PIECES || (count > 1 && !marks.is_empty()) {
                return fault("pieces", format!("{letter}: '{token}': expected what became of 25 pieces"));
            }
            for _ in 0..count {
                self.read_fate(&mut read.public, piece_of(seat, slot), body, marks)?;
                slot += 1;
            }
        }
        if slot != PIECES {
            return fault("pieces", format!("{letter}: what became of {slot} pieces; expected 25"));
        }
        Ok(())
    }

    fn read_fate(&self, public: &mut Public, piece: Piece, body: &str, marks: &str) -> Result<(), Error> {
        let seat = usize::from(seat_of(piece));
        let home = self.home(piece);
        let place = |public: &mut Public, station| {
            if public.at[usize::from(station)] != NOWHERE || !self.board.graph.open[usize::from(station)] {
                return fault("pieces", format!("{} is taken or closed", self.station_name(station)));
            }
            self.put(public, piece, station);
            insert(&mut public.alive, piece);
            Ok(())
        };
        let (sign, rest) = body.split_at_checked(1).unwrap_or(("", ""));
        match sign {
            _ if body.bytes().all(|byte| byte.is_ascii_digit()) => place(public, home)?,
            "_" | "-" if rest.is_empty() => {}
            "<" | ">" | "*" | "%" => {
                let Some(foe) = self.piece_of_home(rest).filter(|&foe| enemies(seat_of(foe), seat_of(piece))) else {
                    return fault("pieces", format!("'{body}': expected the home of an enemy's piece"));
                };
                public.foe[usize::from(piece)] = foe;
                if matches!(sign, "<" | "*") {
                    insert(&mut public.attacked, piece);
                }
                if matches!(sign, "*" | "%") {
                    insert(&mut public.both, piece);
                } else {
                    insert(&mut public.survived, foe);
                }
            }
            _ => {
                let Some(station) = self.board.graph.station(body) else {
                    return fault("pieces", format!("'{body}': expected a station, a number or one of < > * % _ -"));
                };
                place(public, station)?;
                insert(&mut public.moved, piece);
            }
        }
        if body != "-" {
            public.placed[seat] += 1;
        }
        for mark in marks.chars() {
            match mark {
                '~' => insert(&mut public.moved, piece),
                '\'' => insert(&mut public.turned, piece),
                '!' => insert(&mut public.shown, piece),
                '$' => public.flag_taken[seat] = piece,
                _ => public.commander[seat] = piece,
            }
        }
        Ok(())
    }

    /// What must hold between the fields.
    fn finish(&self, public: &mut Public) -> Result<(), Error> {
        let setting_up = (0..self.seats()).any(|seat| usize::from(public.placed[usize::from(seat)]) < PIECES);
        if setting_up && !self.is_set_up_by_play() {
            return fault("pieces", "'-' stands for a piece to be set up, with setup=play only");
        }
        for seat in 0..self.seats() {
            let index = usize::from(seat);
            for slot in 0..PIECES {
                let piece = piece_of(seat, slot);
                let foe = public.foe[usize::from(piece)];
                let mutual = foe == NOWHERE || !has(&public.both, piece) || public.foe[usize::from(foe)] == piece;
                if !mutual {
                    return fault(
                        "pieces",
                        format!("{}: two that are gone together name each other", self.seat_letter(seat)),
                    );
                }
                let unplaced = !has(&public.alive, piece) && foe == NOWHERE && public.out[index].is_none();
                if unplaced && self.is_placed(public, piece) {
                    return fault(
                        "pieces",
                        format!("{}: '_' with its seat, and that seat is out", self.seat_letter(seat)),
                    );
                }
                if public.placed[index] < PIECES as u8 && has(&public.alive, piece) != self.is_placed(public, piece) {
                    return fault("pieces", format!("{}: pieces are set up in order", self.seat_letter(seat)));
                }
            }
            if public.out[index].is_some() && public.alive[index] != 0 {
                return fault("out", format!("{} is out, but has pieces on the board", self.seat_letter(seat)));
            }
        }
        let index = usize::from(public.to_move);
        let first = (0..self.seats()).find(|&seat| usize::from(public.placed[usize::from(seat)]) < PIECES);
        if setting_up && public.placed[index] == PIECES as u8 {
            let letter = first.map_or('-', |seat| self.seat_letter(seat));
            return fault("turn", format!("{letter} sets up first"));
        }
        if public.status.is_ongoing() && public.out[index].is_some() {
            return fault("turn", format!("{} is out", self.seat_letter(public.to_move)));
        }
        let lost = |team: usize| (team..usize::from(self.seats())).step_by(2).all(|seat| public.out[seat].is_some());
        let right = match public.status {
            Status::Ongoing | Status::Draw(_) => !lost(0) && !lost(1),
            Status::Win(seat, _) => lost(1 - usize::from(seat)) && !lost(usize::from(seat)),
        };
        if !right {
            return fault("over", "a team has lost when all its seats are out, and only then");
        }
        Ok(())
    }
}
