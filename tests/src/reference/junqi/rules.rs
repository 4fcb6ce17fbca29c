//! The three games and every option (3.6, 3.7, 3.8).

/// Which of the three games (3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// Four seats S E N W; S and N against E and W.
    Siguo,
    /// 單挑: two seats S and N on the four-country board.
    Duel,
    /// 陸戰棋: two seats S and N on the 60-station board.
    Luzhanqi,
}

/// Whose ranks a seat sees (3.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// 四暗: its own.
    Dark,
    /// 雙明: its own and its ally's.
    DoubleOpen,
    /// 全明: everybody's.
    Open,
}

/// Who learns the two ranks of a combat (3.8).
///
/// Reading: the rule text names the three values only. `combatants` says who sees: the owners of the two pieces see
/// each other's. `both` says what is seen: everybody sees both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reveal {
    /// Nobody.
    None,
    /// The owners of the two pieces.
    Combatants,
    /// Everybody.
    Both,
}

/// The rules of one game. Every field is public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// Which game.
    pub variant: Variant,
    /// `view`.
    pub view: View,
    /// `order`: clockwise S W N E instead of anticlockwise S E N W.
    pub clockwise: bool,
    /// `mine=both`: a mine goes with the piece that ran into it.
    pub mine_both: bool,
    /// `bomb_front_row`.
    pub bomb_front_row: bool,
    /// `hq_moves`.
    pub hq_moves: bool,
    /// `arms=closed`: the stations of E and W are no part of the board of `duel`.
    pub arms_closed: bool,
    /// `reveal`.
    pub reveal: Reveal,
    /// `bombs_fly`.
    pub bombs_fly: bool,
    /// `one_turn`.
    pub one_turn: bool,
    /// `commander_mine=survives`.
    pub commander_survives: bool,
    /// `signals`: a seat may tell its ally something before it moves.
    pub signals: bool,
    /// `time_outs`: with so many a seat is out; 0 = unlimited.
    pub time_outs: usize,
    /// So many plies in a row without a loss are a draw; 0 = off.
    pub quiet_limit: usize,
    /// A game of so many plies is a draw; 0 = off.
    pub ply_limit: usize,
}

impl Rules {
    /// The defaults of a game.
    pub fn new(variant: Variant) -> Rules {
        Rules {
            variant,
            view: View::Dark,
            clockwise: false,
            mine_both: false,
            bomb_front_row: false,
            hq_moves: false,
            arms_closed: false,
            reveal: Reveal::None,
            bombs_fly: false,
            one_turn: false,
            commander_survives: false,
            signals: false,
            time_outs: 5,
            quiet_limit: 70,
            ply_limit: 0,
        }
    }

    /// Reads `siguo:double-open,order=clockwise,quiet_limit=71`: the game, and behind a colon a view's name or options.
    ///
    /// # Errors
    /// A sentence that names the word that is not known.
    pub fn parse(text: &str) -> Result<Rules, String> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let mut rules = Rules::new(match name {
            "siguo" => Variant::Siguo,
            "duel" => Variant::Duel,
            "luzhanqi" => Variant::Luzhanqi,
            _ => return Err(format!("{name} is none of siguo, duel, luzhanqi")),
        });
        for option in options.split(',').filter(|option| !option.is_empty()) {
            let (key, value) = option.split_once('=').unwrap_or(("view", option));
            rules.set(key, value).ok_or(format!("{option} is no option of junqi"))?;
        }
        Ok(rules)
    }

    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "view" => {
                self.view = match value {
                    "dark" => View::Dark,
                    "double-open" => View::DoubleOpen,
                    "open" => View::Open,
                    _ => return None,
                }
            }
            "reveal" => {
                self.reveal = match value {
                    "none" => Reveal::None,
                    "combatants" => Reveal::Combatants,
                    "both" => Reveal::Both,
                    _ => return None,
                }
            }
            "order" => self.clockwise = one_of(value, ["anticlockwise", "clockwise"])?,
            "mine" => self.mine_both = one_of(value, ["stays", "both"])?,
            "arms" => self.arms_closed = one_of(value, ["open", "closed"])?,
            "commander_mine" => self.commander_survives = one_of(value, ["dies", "survives"])?,
            "bomb_front_row" => self.bomb_front_row = yes(value)?,
            "hq_moves" => self.hq_moves = yes(value)?,
            "bombs_fly" => self.bombs_fly = yes(value)?,
            "one_turn" => self.one_turn = yes(value)?,
            // Who has no ally has nobody to tell anything.
            "signals" if self.variant == Variant::Siguo || value == "no" => self.signals = yes(value)?,
            "time_outs" if value == "unlimited" => self.time_outs = 0,
            "time_outs" => self.time_outs = value.parse().ok()?,
            "quiet_limit" => self.quiet_limit = value.parse().ok()?,
            "ply_limit" => self.ply_limit = value.parse().ok()?,
            _ => return None,
        }
        Some(())
    }

    /// How many seats there are. Seats 0 and 2 of four, and seat 0 of two, are one team.
    pub fn seats(&self) -> usize {
        if self.variant == Variant::Siguo { 4 } else { 2 }
    }

    /// The team of a seat: S and N against E and W (3.1); in a game of two each is its own.
    pub fn team(&self, seat: usize) -> usize {
        seat % 2
    }

    /// The other seat of the team of a seat (3.1), if there is one.
    pub fn ally(&self, seat: usize) -> Option<usize> {
        (0..self.seats()).find(|other| *other != seat && self.team(*other) == self.team(seat))
    }

    /// The quarter of the board that a seat sits at: 0 S, 1 E, 2 N, 3 W. The seats of a game of two are S and N.
    pub fn quarter(&self, seat: usize) -> usize {
        if self.variant == Variant::Siguo { seat } else { 2 * seat }
    }

    /// The letter of a seat.
    pub fn seat_letter(&self, seat: usize) -> char {
        ['s', 'e', 'n', 'w'][self.quarter(seat)]
    }

    /// The seat of a letter.
    pub fn seat_of_letter(&self, letter: char) -> Option<usize> {
        (0..self.seats()).find(|seat| self.seat_letter(*seat) == letter)
    }

    /// The seat whose turn comes after that of `seat`, if nobody is out.
    ///
    /// Seats are numbered anticlockwise.
    pub fn after(&self, seat: usize) -> usize {
        let step = if self.clockwise { self.seats() - 1 } else { 1 };
        (seat + step) % self.seats()
    }
}

/// Whether the value is the second of two words.
fn one_of(value: &str, words: [&str; 2]) -> Option<bool> {
    words.iter().position(|word| *word == value).map(|place| place == 1)
}

fn yes(value: &str) -> Option<bool> {
    match value {
        "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => None,
    }
}
