//! Who plays, who decides what is learned, and what a critic sees.

use super::group::lean;
use super::*;
use crate::config::Select;
use crate::encode::{critic_plan, plan_of};
use crate::learn::{Learner, Plan, PpoConfig, SEEN, Samples, Weights, passes, samples};
use crate::net::{Arch, Net, NetConfig, device};
use anqi_env::darkchess::DarkChess;
use anqi_env::junqi::Junqi;

#[test]
fn a_value_leans_to_either_side() {
    for (wdl, value, leaned) in [
        ([0.2f32, 0.5, 0.3], 0.45, [0.6, 0.25, 0.15]),
        ([0.3, 0.5, 0.2], -0.45, [0.15, 0.25, 0.6]),
        ([0.2, 0.5, 0.3], -0.1, [0.2, 0.5, 0.3]),
        ([1.0, 0.0, 0.0], 1.0, [1.0, 0.0, 0.0]),
        ([0.0, 0.0, 1.0], 1.0, [1.0, 0.0, 0.0]),
    ] {
        let mut found = wdl;
        lean(&mut found, value);
        assert!(found.iter().zip(leaned).all(|(a, b): (&f32, f32)| (a - b).abs() < 1e-6), "{wdl:?} {value}: {found:?}");
    }
}

/// What a search or a teacher says takes the place of the network's policy, and who says nothing leaves the choice
/// and the value to the network.
#[test]
fn an_improver_decides_what_is_learned() {
    struct First(bool);
    impl Improver<DarkChess> for First {
        fn improve(&self, game: &DarkChess, turns: &mut [Turn<'_, DarkChess>]) -> Vec<Improved> {
            let improved = |turn: &mut Turn<'_, DarkChess>| {
                let mut legal = anqi_env::game::Actions::new();
                game.legal(turn.view, &mut legal);
                let policy = vec![(legal[0], 0.75), (legal[legal.len() - 1], 0.25)];
                Improved { action: self.0.then(|| legal[0]), policy, value: self.0.then_some(0.5), weight: 0.25 }
            };
            turns.iter_mut().map(improved).collect()
        }
    }
    let game = DarkChess::parse("mini").unwrap();
    let config = RolloutConfig { games: 8, group: 8, plies: 3, reflect: false, ..RolloutConfig::default() };
    let net = Net::new(&NetConfig::default(), plan_of(&game), 1, &device()).unwrap();
    let infer = Infer::new(&net, net.shape());
    let play = |acts| {
        let mut rollout = Rollout::new(std::slice::from_ref(&game), &config, 1).unwrap();
        let player = Player { infer: &infer, improver: Some(&First(acts)), critic: None };
        let workers = Workers::new(1).unwrap();
        rollout.run(&player, Lambdas::default(), Bias::default(), &workers)[0].clone()
    };
    let (led, free) = (play(true), play(false));
    assert!(led.weights.len() == led.actions.len() && led.weights.iter().all(|&weight| weight == 0.25));
    for played in [&led, &free] {
        for row in played.logp.chunks(game.spec().num_actions) {
            assert_eq!(row.iter().filter(|logp| **logp > f32::NEG_INFINITY).count(), 2);
            assert!((row.iter().map(|logp| logp.exp()).sum::<f32>() - 1.0).abs() < 1e-6);
        }
    }
    let best = |(row, action): (&[f32], &u32)| (row[*action as usize].exp() - 0.75).abs() < 1e-6;
    let chosen = |played: &Experience| played.logp.chunks(game.spec().num_actions).zip(&played.actions).all(best);
    assert!(chosen(&led) && !chosen(&free));
    let says = |played: &Experience| played.expected.chunks(3).all(|wdl| (wdl[0] - wdl[2] - 0.5).abs() < 1e-6);
    assert!(says(&led) && !says(&free));
}

/// Two of four games are against `greedy`, who sits first in the one and second in the other.
#[test]
fn opponents_sit_on_either_side() {
    let game = DarkChess::parse("mini").unwrap();
    let opponents = vec!["greedy".to_string()];
    let config = RolloutConfig { games: 4, group: 4, plies: 6, opponents, against: 0.5, ..RolloutConfig::default() };
    let mut rollout = Rollout::new(std::slice::from_ref(&game), &config, 1).unwrap();
    let net = Net::new(&NetConfig::default(), plan_of(&game), 1, &device()).unwrap();
    let infer = Infer::new(&net, net.shape());
    let workers = Workers::new(1).unwrap();
    let parts = rollout.run(&Player::alone(&infer), Lambdas::default(), Bias::default(), &workers);
    // Six plies are too few to take all four pieces of a side, of which none is face up at first.
    for (ply, by) in parts[0].by.chunks(4).enumerate() {
        let own = by.iter().map(|&by| by == Actor::Network).collect::<Vec<_>>();
        let second = ply % 2 == 1;
        assert_eq!(own, [second, !second, true, true], "ply {ply}");
        assert!(!by.contains(&Actor::Teacher));
    }
    let config = RolloutConfig { teachers: config.opponents.clone(), ..config };
    let mut rollout = Rollout::new(std::slice::from_ref(&game), &config, 1).unwrap();
    let parts = rollout.run(&Player::alone(&infer), Lambdas::default(), Bias::default(), &workers);
    assert_eq!(parts[0].by[..4], [Actor::Teacher, Actor::Network, Actor::Network, Actor::Network]);
    let stranger = RolloutConfig { teachers: vec!["random".into()], ..config.clone() };
    let fault = Rollout::new(std::slice::from_ref(&game), &stranger, 1).err().unwrap().to_string();
    assert_eq!(fault, "rollout.teachers: 'random' is none of rollout.opponents; expected some of them");
    for (name, told) in [
        ("nobody", "rollout.opponents: unknown agent 'nobody'"),
        ("uci:some/engine", "rollout.opponents: agent 'uci:some/engine': an outside engine cannot play in training"),
    ] {
        let faulty = RolloutConfig { opponents: vec![name.into()], teachers: Vec::new(), ..config.clone() };
        let fault = Rollout::new(std::slice::from_ref(&game), &faulty, 1).err().unwrap().to_string();
        assert!(fault.starts_with(told), "{fault}");
    }
}

/// Of eight games of four seats the first four are against `greedy` and the last four beside `random`: two have both.
#[test]
fn partners_sit_beside_the_network() {
    let game = Junqi::parse("siguo").unwrap();
    let [opponents, partners] = ["greedy", "random"].map(|name| vec![name.to_string()]);
    let size = RolloutConfig { games: 8, group: 8, plies: 8, ..RolloutConfig::default() };
    let config = RolloutConfig { opponents, against: 0.5, partners, beside: 0.75, ..size.clone() };
    let mut rollout = Rollout::new(std::slice::from_ref(&game), &config, 1).unwrap();
    let net = Net::new(
        &NetConfig { width: 32, depth: 1, arch: Arch::Graph, ..NetConfig::default() },
        plan_of(&game),
        1,
        &device(),
    )
    .unwrap();
    let infer = Infer::new(&net, net.shape());
    let workers = Workers::new(1).unwrap();
    let parts = rollout.run(&Player::alone(&infer), Lambdas::default(), Bias::default(), &workers);
    // Nobody is out after two rounds: ply 0, 1, 2, 3 are those of the four seats in turn.
    let mut rng = anqi_env::rng::Rng::new(1);
    let mut state = game.deal(&mut rng);
    let mut turn = |_| {
        let seat = game.to_move(&state);
        let action = game.sample(game.view(&state, seat), &mut rng);
        game.play(&mut state, action);
        usize::from(seat)
    };
    let order: Vec<usize> = (0..4).map(&mut turn).collect();
    for (ply, by) in parts[0].by.chunks(8).enumerate() {
        for (row, by) in by.iter().enumerate() {
            let seat = order[ply % 4];
            let guest = (row < 4 && seat % 2 == row % 2) || (row >= 2 && seat == 2 + (row + 1) % 2);
            assert_eq!(*by == Actor::Opponent, guest, "ply {ply}, game {row}, seat {seat}");
        }
    }
    let fault = |game: &str, partner: &str| {
        let config = RolloutConfig { partners: vec![partner.into()], beside: 0.5, ..size.clone() };
        Rollout::new(&[Junqi::parse(game).unwrap()], &config, 1).err().unwrap().to_string()
    };
    assert_eq!(fault("duel", "greedy"), "rollout.partners: duel:dark has 2 seats; expected a game of four, or []");
    assert!(fault("siguo", "nobody").starts_with("rollout.partners: unknown agent 'nobody'"));
}

/// A critic judges what was played, with every piece shown, and the network's own value is not asked.
#[test]
fn a_critic_sees_what_the_player_does_not() {
    let game = Junqi::parse("luzhanqi").unwrap();
    let config = RolloutConfig { games: 4, group: 4, plies: 5, reflect: false, ..RolloutConfig::default() };
    let size = NetConfig { arch: Arch::Graph, width: 32, depth: 1, ..NetConfig::default() };
    let net = Net::new(&size, plan_of(&game), 1, &device()).unwrap();
    let critic = Net::new(&size, critic_plan(plan_of(&game)), 2, &device()).unwrap();
    let (infer, critic) = (Infer::new(&net, net.shape()), Infer::new(&critic, critic.shape()));
    let workers = Workers::new(1).unwrap();
    let mut rollout = Rollout::new(std::slice::from_ref(&game), &config, 1).unwrap();
    let player = Player { critic: Some(&critic), ..Player::alone(&infer) };
    let parts = rollout.run(&player, Lambdas::default(), Bias::default(), &workers);
    let Experience { encoded, revealed, expected, .. } = parts[0];
    let judge = |infer: &Infer, planes, scalars, actions| infer.run(planes, scalars, &vec![1; 20 * actions], 20).wdl;
    assert_eq!(*expected, judge(&critic, &revealed.planes, &revealed.scalars, 1));
    assert_ne!(*expected, judge(&infer, &encoded.planes, &encoded.scalars, game.spec().num_actions));
    // Own pieces look alike in both; of the others' each is surely of one kind.
    let kinds = |planes: &[u8], from: usize| -> Vec<Vec<u8>> {
        planes.chunks(42).map(|station| station[from..from + 12].to_vec()).collect()
    };
    assert_eq!(kinds(&encoded.planes, 0), kinds(&revealed.planes, 0));
    let unsure = |planes: &[u8]| kinds(planes, 16).iter().flatten().filter(|share| !matches!(share, 0 | 255)).count();
    assert!(unsure(&encoded.planes) > 0 && unsure(&revealed.planes) == 0);
}

/// What is learned of hidden pieces is what stands there, on boards that are turned, too: of a kind that the seat thought
/// possible, and wherever it does not know. Learning it again and again beats what can be told without.
#[test]
fn a_network_learns_what_is_hidden() {
    let game = Junqi::parse("luzhanqi").unwrap();
    let config = RolloutConfig { games: 8, group: 8, plies: 40, ..RolloutConfig::default() };
    let size = NetConfig { arch: Arch::Graph, width: 32, depth: 1, beliefs: true };
    let net = Net::new(&size, plan_of(&game), 1, &device()).unwrap();
    let workers = Workers::new(1).unwrap();
    let infer = Infer::new(&net, net.shape());
    let mut rollout = Rollout::new(std::slice::from_ref(&game), &config, 1).unwrap();
    let parts = rollout.run(&Player::alone(&infer), Lambdas::default(), Bias::default(), &workers);
    let Experience { encoded, hidden, .. } = parts[0];
    let (kinds, features) = (game.belief_features().unwrap(), game.spec().planes[2]);
    let mut counts = [0; 2];
    for (told, &hidden) in encoded.planes.chunks(features).zip(hidden) {
        let may_be = |kind: usize| told[kinds.start + kind] > 0;
        let open = (0..kinds.len()).filter(|&kind| may_be(kind)).count() > 1;
        assert_eq!(hidden != SEEN, open, "{told:?} {hidden}");
        assert!(!open || may_be(usize::from(hidden)), "{told:?} {hidden}");
        counts[usize::from(open)] += 1;
    }
    assert!(counts[0] > 0 && counts[1] > 8 * 40 * 10, "{counts:?}");

    let select = Select { policy: 0.5, value: 1.0 };
    let plan = Plan { select: &select, searched: false, taught: false };
    let mut rows = Samples::default();
    samples(game.spec(), &parts, plan, &mut Rng::new(1), &mut rows);
    let mut learner = Learner::new(net, PpoConfig { minibatch: 64, ..PpoConfig::default() }).unwrap();
    let order = passes(rows.len(), 1, &mut Rng::new(1));
    let weights = Weights { learning_rate: 3e-3, magnet: 0.0, imitate: 0.0 };
    let found: Vec<_> = (0..12).map(|_| learner.update(&rows, &order, weights, &workers).unwrap()).collect();
    let (first, last) = (&found[0], &found[11]);
    assert!(
        (first.belief_told - last.belief_told).abs() < 1e-9 && first.belief > 0.95 * first.belief_told,
        "{first:?}"
    );
    assert!(last.belief < 0.97 * last.belief_told, "{} {}", last.belief, last.belief_told);
}
