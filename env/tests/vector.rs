//! Many games at once: the same games whatever the threads, and each as if it were played alone.

use anqi_env::Error;
use anqi_env::darkchess::DarkChess;
use anqi_env::game::{Actions, Game};
use anqi_env::junqi::Junqi;
use anqi_env::rng::Rng;
use anqi_env::vector::{BatchMut, VecGame};

/// Every field of a batch.
#[derive(Clone, Debug, PartialEq)]
struct Batch {
    planes: Vec<u8>,
    scalars: Vec<f32>,
    mask: Vec<i8>,
    mask_bits: Vec<u64>,
    seat: Vec<u8>,
    rewards: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    ply: Vec<u32>,
}

impl Batch {
    /// Filled with what no step writes.
    fn new(game: &DarkChess, games: usize) -> Batch {
        let spec = game.spec();
        Batch {
            planes: vec![9; games * spec.planes_len()],
            scalars: vec![9.0; games * spec.num_scalars],
            mask: vec![9; games * spec.num_actions],
            mask_bits: vec![9; games * spec.mask_words()],
            seat: vec![9; games],
            rewards: vec![9.0; games * spec.num_seats],
            terminated: vec![true; games],
            truncated: vec![true; games],
            ply: vec![9; games],
        }
    }

    fn all(&mut self) -> BatchMut<'_> {
        BatchMut {
            planes: Some(&mut self.planes),
            scalars: Some(&mut self.scalars),
            mask: Some(&mut self.mask),
            mask_bits: Some(&mut self.mask_bits),
            seat: Some(&mut self.seat),
            rewards: Some(&mut self.rewards),
            terminated: Some(&mut self.terminated),
            truncated: Some(&mut self.truncated),
            ply: Some(&mut self.ply),
        }
    }
}

fn many(rules: &str, games: usize, seed: u64, threads: usize) -> VecGame<DarkChess> {
    VecGame::new(DarkChess::parse(rules).unwrap(), games, seed, threads).unwrap()
}

/// Rounds that a loop can afford where code is not optimised.
fn rounds(optimised: usize) -> usize {
    if cfg!(debug_assertions) { optimised / 10 } else { optimised }
}

/// The state of a row as text, hidden pieces included.
fn row(games: &VecGame<DarkChess>, row: usize) -> String {
    games.game().state_text(games.state(row))
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for (rules, num_games, steps) in [("mini", 1_001, 3_000), ("taiwan", 700, 600), ("icga", 389, 600)] {
        let mut runs: Vec<_> = [1, 2, 3].map(|threads| many(rules, num_games, 5, threads).with_ply_limit(200)).into();
        let mut batches = vec![Batch::new(runs[0].game(), num_games); 3];
        let mut actions = vec![vec![0; num_games]; 3];
        let mut ended = 0;
        for step in 0..rounds(steps) {
            for ((games, batch), actions) in runs.iter_mut().zip(&mut batches).zip(&mut actions) {
                games.sample_actions(actions).unwrap();
                games.step(actions, batch.all()).unwrap();
            }
            assert!(actions.iter().all(|other| *other == actions[0]), "{rules}, step {step}");
            assert!(batches.iter().all(|other| *other == batches[0]), "{rules}, step {step}");
            ended += batches[0].terminated.iter().filter(|&&ended| ended).count();
        }
        assert!(cfg!(debug_assertions) || ended > 50, "{rules}: only {ended} games ended");
    }
}

#[test]
fn a_row_is_the_same_whatever_stands_beside_it() {
    let mut runs = [many("mini", 3, 11, 1), many("mini", 400, 11, 2)];
    for step in 0..rounds(2_000) {
        for games in &mut runs {
            let mut actions = vec![0; games.len()];
            games.sample_actions(&mut actions).unwrap();
            games.step(&actions, BatchMut::default()).unwrap();
        }
        for i in 0..3 {
            assert_eq!(row(&runs[0], i), row(&runs[1], i), "row {i}, step {step}");
        }
    }
}

/// The rows of a vector, told one by one with the rules alone.
#[test]
fn a_batch_says_what_single_games_say() {
    let limit = 30;
    let mut games = many("mini,quiet_limit=12", 40, 3, 1).with_ply_limit(limit);
    let game = games.game().clone();
    let mut batch = Batch::new(&game, 40);
    let mut twins: Vec<_> = (0..40).map(|i| *games.state(i)).collect();
    let mut ends = [0; 4];
    let mut actions = vec![0; 40];
    for _ in 0..rounds(1_500) {
        games.sample_actions(&mut actions).unwrap();
        games.step(&actions, batch.all()).unwrap();
        for (i, twin) in twins.iter_mut().enumerate() {
            game.play(twin, actions[i] as u16);
            let status = game.status(twin);
            let cut = status.is_ongoing() && game.plies(twin) >= limit;
            assert_eq!((batch.terminated[i], batch.truncated[i]), (!status.is_ongoing(), cut));
            let rewards = [status.value(0), status.value(1)];
            assert_eq!(batch.rewards[2 * i..][..2], rewards);
            assert_eq!(rewards[0] + rewards[1], 0.0, "what one seat wins the other loses");
            if batch.terminated[i] || cut {
                ends[if cut { 3 } else { (rewards[0] + 1.0) as usize }] += 1;
                *twin = *games.state(i);
                assert_eq!(game.plies(twin), 0);
            }
            let seat = game.to_move(twin);
            assert_eq!((batch.seat[i], batch.ply[i]), (seat, game.plies(twin)));
            let spec = game.spec();
            let (mut planes, mut scalars) = (vec![0; spec.planes_len()], vec![0.0; spec.num_scalars]);
            game.observe(game.view(twin, seat), seat, &mut planes, &mut scalars);
            assert_eq!(batch.planes[i * planes.len()..][..planes.len()], planes);
            assert_eq!(batch.scalars[i * scalars.len()..][..scalars.len()], scalars);
            let mut legal = Actions::new();
            game.legal(game.view(twin, seat), &mut legal);
            let mask = &batch.mask[i * spec.num_actions..][..spec.num_actions];
            assert!((0u16..).zip(mask).all(|(action, &one)| (one == 1) == legal.contains(&action)));
        }
    }
    if !cfg!(debug_assertions) {
        assert!(ends.iter().all(|&n| n > 0), "losses, draws, wins and cut games of seat 0: {ends:?}");
    }
}

#[test]
fn an_illegal_action_changes_nothing_and_names_its_row() {
    for threads in [1, 2] {
        let mut games = many("taiwan", 300, 2, threads);
        let mut actions = vec![0; 300];
        for _ in 0..20 {
            games.sample_actions(&mut actions).unwrap();
            games.step(&actions, BatchMut::default()).unwrap();
        }
        games.sample_actions(&mut actions).unwrap();
        let states: Vec<String> = (0..300).map(|i| row(&games, i)).collect();
        for (rows, action) in [(vec![0], 352), (vec![299], -1), (vec![170, 20, 260], 353), (vec![150], 1 << 20)] {
            let mut wrong = actions.clone();
            rows.iter().for_each(|&row| wrong[row] = action);
            let mut batch = Batch::new(games.game(), 300);
            let untouched = batch.clone();
            match games.step(&wrong, batch.all()) {
                Err(Error::Row { row, message }) => {
                    assert_eq!(Some(&row), rows.iter().min());
                    assert!(message.contains(&action.to_string()), "{message}");
                }
                other => panic!("{other:?}"),
            }
            assert_eq!(batch, untouched);
            assert!((0..300).all(|i| row(&games, i) == states[i]));
        }
        games.step(&actions, BatchMut::default()).unwrap();
    }
}

#[test]
fn wrong_lengths_are_named_and_change_nothing() {
    let mut games = many("mini", 4, 2, 1);
    let states: Vec<String> = (0..4).map(|i| row(&games, i)).collect();
    let mut actions = [0; 4];
    games.sample_actions(&mut actions).unwrap();
    let (mut mask, mut seat) = (vec![0; 5], vec![0; 5]);
    let wrong = BatchMut { mask: Some(&mut mask), ..BatchMut::default() };
    let message = games.step(&actions, wrong).unwrap_err().to_string();
    assert!(message.starts_with("mask has 5 values, expected 4 games x "), "{message}");
    assert!(games.reset(Some(9), BatchMut { seat: Some(&mut seat), ..BatchMut::default() }).is_err());
    assert_eq!(games.step(&actions[..3], BatchMut::default()).unwrap_err().to_string(), "3 actions for 4 games");
    assert!(games.sample_actions(&mut actions[..3]).is_err());
    assert!((0..4).all(|i| row(&games, i) == states[i]));
    assert!(VecGame::new(games.game().clone(), 0, 1, 1).is_err());
    assert!(VecGame::new(games.game().clone(), 1, 1, 0).is_err());
}

#[test]
fn a_reset_reproduces_the_games() {
    let mut games = many("mini", 200, 6, 1);
    let game = games.game().clone();
    let run = |games: &mut VecGame<DarkChess>| {
        let mut batch = Batch::new(&game, 200);
        let mut actions = vec![0; 200];
        let mut all = Vec::new();
        for _ in 0..60 {
            games.sample_actions(&mut actions).unwrap();
            games.step(&actions, batch.all()).unwrap();
            all.push(actions.clone());
        }
        (all, batch)
    };
    let first = run(&mut games);
    let mut begun = Batch::new(&game, 200);
    games.reset(None, begun.all()).unwrap();
    assert!(begun.ply.iter().all(|&ply| ply == 0) && begun.rewards.iter().all(|&reward| reward == 0.0));
    assert!(!begun.terminated.contains(&true) && !begun.truncated.contains(&true));
    assert_eq!(run(&mut games), first);
    games.reset(Some(7), BatchMut::default()).unwrap();
    assert_ne!(run(&mut games), first);
    assert_eq!(run(&mut many("mini", 200, 6, 2)), first);
}

/// Games that wait and games that are held, against a vector that never waits: the same games in the same order.
#[test]
fn games_that_wait_or_are_held_are_the_same_games() {
    for threads in [1, 2] {
        let mut through = many("mini", 60, 4, threads).with_ply_limit(25);
        let mut held = many("mini", 60, 4, threads).with_ply_limit(25).holding();
        let game = held.game().clone();
        let (mut batch, mut looked) = (Batch::new(&game, 60), Batch::new(&game, 60));
        let (mut actions, mut sampled, mut ends) = (vec![0; 60], vec![0; 60], [0; 2]);
        let mut rng = Rng::new(1);
        for _ in 0..rounds(500) {
            through.sample_actions(&mut actions).unwrap();
            through.step(&actions, BatchMut::default()).unwrap();
            let mut waiting = [true; 60];
            // Each plays once, in any number of calls.
            while waiting.contains(&true) {
                let chosen: Vec<bool> = waiting.iter().map(|&waits| waits && rng.below(2) == 0).collect();
                let before: Vec<String> = (0..60).map(|i| row(&held, i)).collect();
                held.step_rows(&actions, Some(&chosen), batch.all()).unwrap();
                for i in 0..60 {
                    if !chosen[i] {
                        assert_eq!(row(&held, i), before[i]);
                        assert!(!batch.terminated[i] && !batch.truncated[i] && batch.rewards[2 * i..][..2] == [0.0; 2]);
                    }
                    let over = batch.terminated[i] || batch.truncated[i];
                    assert_eq!(chosen[i] && held.is_over(i), over);
                    ends[usize::from(batch.truncated[i])] += usize::from(over);
                    waiting[i] &= !chosen[i];
                }
            }
            let over: Vec<bool> = (0..60).map(|i| held.is_over(i)).collect();
            held.sample_actions(&mut sampled).unwrap();
            if let Some(first) = over.iter().position(|&over| over) {
                let fault = held.step(&sampled.iter().map(|&a| a.max(0)).collect::<Vec<_>>(), BatchMut::default());
                let Err(Error::Row { row, message }) = fault else { panic!("{fault:?}") };
                assert!(row == first && message.contains("the game is over"), "{row} {first} {message}");
            }
            assert!((0..60).all(|i| over[i] == (sampled[i] == -1)));
            held.restart(&over).unwrap();
            assert!((0..60).all(|i| row(&held, i) == row(&through, i)));
        }
        assert!(cfg!(debug_assertions) || ends.iter().all(|&n| n > 20), "{ends:?}");
        // Each seat's own eyes; rows left out are not written.
        let seats: Vec<u8> = (0..60).map(|i| (i % 2) as u8).collect();
        let rows: Vec<bool> = (0..60).map(|i| i % 3 > 0).collect();
        let untouched = Batch::new(&game, 60);
        held.observe_as(Some(&seats), Some(&rows), looked.all()).unwrap();
        let (spec, mut planes, mut scalars) =
            (game.spec(), vec![0; game.spec().planes_len()], vec![0.0; game.spec().num_scalars]);
        for i in 0..60 {
            let state = held.state(i);
            game.observe(game.view(state, seats[i]), seats[i], &mut planes, &mut scalars);
            let found = &looked.planes[i * planes.len()..][..planes.len()];
            let mask = &looked.mask[i * spec.num_actions..][..spec.num_actions];
            if rows[i] {
                assert_eq!(found, planes);
                assert_eq!(mask.contains(&1), seats[i] == game.to_move(state));
                assert_eq!(looked.seat[i], game.to_move(state));
            } else {
                assert_eq!(found, &untouched.planes[..planes.len()]);
                assert_eq!(mask[0], 9);
            }
        }
        let message = held.observe_as(Some(&[2; 60]), None, BatchMut::default()).unwrap_err().to_string();
        assert_eq!(message, "row 0: seats are numbered 0 to 1");
        assert_eq!(held.restart(&[true; 3]).unwrap_err().to_string(), "3 marks for 60 games");
    }
}

#[test]
fn saved_games_go_on_with_the_same_pieces_and_draws() {
    let mut games = many("icga", 30, 8, 1);
    let mut actions = vec![0; 30];
    let mut step = |games: &mut VecGame<DarkChess>| {
        games.sample_actions(&mut actions).unwrap();
        games.step(&actions, BatchMut::default()).unwrap();
        actions.clone()
    };
    (0..333).for_each(|_| drop(step(&mut games)));
    let mut again = many("icga", 30, 1, 1);
    again.load(&games.save()).unwrap();
    for _ in 0..rounds(1_000) {
        assert_eq!(step(&mut games), step(&mut again));
    }
    assert_eq!(again.save(), games.save());
    assert!(many("icga", 29, 1, 1).load(&games.save()).is_err());
}

/// Pinned for ever: a seed must give the same games in every version, on every machine.
#[test]
fn the_same_seed_gives_the_same_games_for_ever() {
    let mut games = many("taiwan", 2, 42, 1);
    assert_eq!(
        [row(&games, 0), row(&games, 1)].map(|text| text.rsplit('=').next().unwrap().to_string()),
        ["cGNppRKMpMgmPcnrmPrPPGCnPNgpkCpR", "gNnPGrPkMppPKngrpCcpRGMmRCNcmPPp"],
    );
    let mut actions = [0; 2];
    let mut names = Vec::new();
    for _ in 0..60 {
        games.sample_actions(&mut actions).unwrap();
        games.step(&actions, BatchMut::default()).unwrap();
        names.push(games.game().action_name(actions[0] as u16));
    }
    assert_eq!(names[..8].join(" "), "c5 a2 c7 a5 c8 b2 c6 d8");
    assert_eq!(
        games.game().view_text(games.state(0).position()),
        "cg1mpRKM/X2P1nc1/mg6/1C1kG1C1 0 r p1 11 61 last=b8-b7 moves=a2-a3,b5-b4,d1-c1,c3-d3,d5-d4,d3-d2,b7-b6,c6-d6,a3-a2,d6-d5,b8-b7"
    );
    assert_eq!(Rng::branch(42, &[0, 1]).bits(), 4063899952915479925);
}

/// The legal actions in bits are those of the mask, for every family of games.
#[test]
fn masks_in_bits_are_the_masks() {
    fn check<G: Game>(game: G) {
        let (games, spec) = (40, game.spec().clone());
        let words = spec.mask_words();
        let (mut mask, mut bits) = (vec![9i8; games * spec.num_actions], vec![9u64; games * words]);
        let mut actions = vec![0; games];
        let mut many = VecGame::new(game, games, 3, 1).unwrap();
        for _ in 0..rounds(200) {
            many.sample_actions(&mut actions).unwrap();
            let out = BatchMut { mask: Some(&mut mask), mask_bits: Some(&mut bits), ..BatchMut::default() };
            many.step(&actions, out).unwrap();
            for (mask, bits) in mask.chunks(spec.num_actions).zip(bits.chunks(words)) {
                let of_bits = (0..64 * words).map(|action| (bits[action / 64] >> (action % 64) & 1) as i8);
                assert!(of_bits.eq(mask.iter().copied().chain(std::iter::repeat_n(0, 64 * words - mask.len()))));
            }
        }
    }
    check(DarkChess::parse("gametower-dark-chain").unwrap());
    for name in ["siguo", "luzhanqi:setup=play", "siguo:signals=yes"] {
        check(Junqi::parse(name).unwrap());
    }
}
