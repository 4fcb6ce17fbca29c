//! The step path allocates nothing, counted by the allocator itself.
//!
//! With one thread the count is zero. With more, rayon boxes the job it hands to each other thread and the one that
//! keeps that thread awake: two small allocations a call, whatever the number of games.

// An allocator cannot be written without unsafe; this one only counts and hands on to the system's.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use anqi_env::darkchess::DarkChess;
use anqi_env::game::Game;
use anqi_env::junqi::Junqi;
use anqi_env::vector::{BatchMut, VecGame};

struct Counting;

/// Allocations of all threads.
static COUNT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Allocations of one thread: what the test harness does beside the test must not count.
    static OWN: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    COUNT.fetch_add(1, Ordering::Relaxed);
    OWN.set(OWN.get() + 1);
}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Room for every field of a batch.
struct Room {
    planes: Vec<u8>,
    scalars: Vec<f32>,
    mask: Vec<i8>,
    seat: Vec<u8>,
    rewards: Vec<f32>,
    flags: [Vec<bool>; 2],
    ply: Vec<u32>,
    mask_bits: Vec<u64>,
}

impl Room {
    fn batch(&mut self) -> BatchMut<'_> {
        let [terminated, truncated] = &mut self.flags;
        BatchMut {
            planes: Some(&mut self.planes),
            scalars: Some(&mut self.scalars),
            mask: Some(&mut self.mask),
            seat: Some(&mut self.seat),
            rewards: Some(&mut self.rewards),
            terminated: Some(terminated),
            truncated: Some(truncated),
            ply: Some(&mut self.ply),
            mask_bits: Some(&mut self.mask_bits),
        }
    }
}

/// Allocations during so many rounds of sample, step and observe.
fn allocations(game: impl Game, games: usize, threads: usize, rounds: usize) -> usize {
    let spec = game.spec().clone();
    let mut vector = VecGame::new(game, games, 1, threads).unwrap().with_ply_limit(150);
    let mut actions = vec![0; games];
    let mut room = Room {
        planes: vec![0; games * spec.planes_len()],
        scalars: vec![0.0; games * spec.num_scalars],
        mask: vec![0; games * spec.num_actions],
        seat: vec![0; games],
        rewards: vec![0.0; games * spec.num_seats],
        flags: [vec![false; games], vec![false; games]],
        ply: vec![0; games],
        mask_bits: vec![0; games * spec.mask_words()],
    };
    let mut round = || {
        vector.sample_actions(&mut actions).unwrap();
        vector.step(&actions, room.batch()).unwrap();
        vector.observe(room.batch()).unwrap();
    };
    // The threads' own start-up is over after the first rounds.
    (0..50).for_each(|_| round());
    let counted = || if threads == 1 { OWN.get() } else { COUNT.load(Ordering::Relaxed) };
    let before = counted();
    (0..rounds).for_each(|_| round());
    counted() - before
}

/// One test for all: the count is the whole process's, and tests run side by side.
#[test]
fn a_step_allocates_nothing() {
    // Games end and start anew in between: a game of `mini` has some 40 plies.
    for rules in ["taiwan", "icga", "mini"] {
        assert_eq!(allocations(DarkChess::parse(rules).unwrap(), 60, 1, 300), 0, "{rules}, one thread");
    }
    for rules in ["siguo", "siguo:signals=yes", "luzhanqi:setup=play"] {
        assert_eq!(allocations(Junqi::parse(rules).unwrap(), 20, 1, 300), 0, "{rules}, one thread");
    }
    // Sample, step, observe: three calls of two jobs; now and then rayon's queue takes a block.
    let (rounds, jobs) = (300, 2 * 3 * 300);
    for games in [300, 1_500] {
        let count = allocations(DarkChess::parse("mini").unwrap(), games, 2, rounds);
        assert!(count <= jobs + jobs / 10, "two threads, {games} games: {count} allocations for {jobs} jobs");
    }
}
