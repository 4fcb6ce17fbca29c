//! What pieces are worth, in tenths of a platoon's leader 排長, and the weights of everything else on that scale.

use anqi_env::junqi::piece::KINDS;

/// By kind, from the flag to the engineer. The flag stands for itself, see [`FLAG`].
pub const WORTH: [f32; KINDS] = [0.0, 45.0, 95.0, 200.0, 150.0, 110.0, 80.0, 60.0, 40.0, 30.0, 20.0, 45.0];

/// An enemy's flag: more than any two pieces.
pub(super) const FLAG: f32 = 500.0;

/// What is added to the capture of what surely is a flag: nothing else comes before it.
pub(super) const SURE: f32 = 100_000.0;

/// The own flag, where an enemy can take it with its next ply.
pub(super) const OWN_FLAG: f32 = 1_500.0;

/// A commander's death also shows where its flag stands.
pub(super) const SHOWS_FLAG: f32 = 50.0;

/// What is learned by an attack on a piece of unknown rank.
pub(super) const KNOWING: f32 = 4.0;

/// A piece in front of a headquarters that holds the flag: it shields it.
pub(super) const SHIELD: f32 = 80.0;

/// The last piece that a seat can move: without it the seat is out. Of two each is worth a quarter of this, and so on.
pub(super) const LAST: f32 = 800.0;

/// An enemy that stands before the own flag.
pub(super) const INTRUDER: f32 = 300.0;

/// The same before the partner's.
pub(super) const PARTNER: f32 = 0.3;

/// Exposure of the flag below which an enemy is no intruder: pieces in the middle of the board.
pub(super) const FAR: f32 = 0.15;

/// How much of what a piece may yet achieve counts as achieved.
pub(super) const OUTLOOK: f32 = 0.6;

/// What is left of that one ply later.
pub(super) const PLY: f32 = 0.5;

/// The same for a piece that flies, by rail station on its way.
pub(super) const FLIGHT: f32 = 0.95;

/// An enemy that can come beside the own flag and cannot be taken there.
pub(super) const APPROACH: f32 = 300.0;

/// How much of a loss that an enemy could inflict next counts: it does not know the own ranks.
pub(super) const CAUTION: f32 = 0.6;

/// How much losses count that it could inflict instead.
pub(super) const OTHERS: f32 = 0.15;

/// How much of what a captor would lose to another own piece makes up for the loss.
pub(super) const RETAKE: f32 = 0.5;

/// A piece beside the own flag stays there.
pub(super) const POST: f32 = 25.0;

/// Going back where a piece just came from.
pub(super) const BACK: f32 = 6.0;

/// What a piece loses of its worth that goes where it can never leave again.
pub(super) const STUCK: f32 = 0.7;

/// A quiet ply costs at most this when the quiet limit is near: then anything is better than a draw.
pub(super) const HURRY: f32 = 60.0;

/// Behind by this share of all material a draw is welcome.
pub(super) const BEHIND: f32 = -0.25;
