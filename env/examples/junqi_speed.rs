//! Plies per second of junqi on one core: `cargo run --release -p anqi-env --example junqi_speed [GAME] [SECONDS]`.

use std::io::Write;
use std::time::{Duration, Instant};

use anqi_env::game::Game;
use anqi_env::junqi::Junqi;
use anqi_env::rng::Rng;
use anqi_env::vector::{BatchMut, VecGame};

/// Time that this thread ran, where Linux tells it; a machine that others use too says little by the clock on the wall.
fn busy(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanos.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "siguo".into());
    let seconds: f64 = arguments.next().map_or(Ok(2.0), |text| text.parse())?;
    let game = Junqi::parse(&name)?;
    let spec = game.spec();
    let (mut planes, mut scalars) = (vec![0u8; spec.planes_len()], vec![0f32; spec.num_scalars]);
    let mut mask = vec![0i8; spec.num_actions];
    let mut out = std::io::stdout().lock();
    for what in ["rules", "masks", "observations", "both"] {
        let (masks, observations) = (matches!(what, "masks" | "both"), matches!(what, "observations" | "both"));
        let mut rng = Rng::new(1);
        let (mut plies, mut games, mut ends) = (0u64, 0u64, 0u64);
        let start = Instant::now();
        let before = busy(start);
        while busy(start) - before < Duration::from_secs_f64(seconds) {
            let mut state = game.deal(&mut rng);
            games += 1;
            while game.status(&state).is_ongoing() {
                let seat = game.to_move(&state);
                if observations {
                    game.settle(&mut state, seat);
                    game.observe(game.view(&state, seat), seat, &mut planes, &mut scalars);
                    ends += u64::from(planes[0]);
                }
                if masks {
                    game.mask(game.view(&state, seat), &mut mask);
                    ends += mask[0] as u64;
                }
                let action = game.sample(game.view(&state, seat), &mut rng);
                game.play(&mut state, action);
                plies += 1;
            }
        }
        let rate = plies as f64 / (busy(start) - before).as_secs_f64();
        let length = plies as f64 / games as f64;
        writeln!(out, "{name} {what}: {:.3} M plies/s, {length:.0} plies a game ({ends})", rate / 1e6)?;
    }
    // As a trainer steps them: many games in turn, whose states do not all stay near the processor.
    let games = 256;
    let mut vector = VecGame::new(game.clone(), games, 1, 1)?;
    let (mut planes, mut mask) = (vec![0; games * planes.len()], vec![0; games * mask.len()]);
    let (mut scalars, mut actions) = (vec![0.0; games * scalars.len()], vec![0; games]);
    let start = Instant::now();
    let (before, mut plies) = (busy(start), 0u64);
    while busy(start) - before < Duration::from_secs_f64(seconds) {
        vector.sample_actions(&mut actions)?;
        let (planes, scalars, mask) = (Some(&mut planes[..]), Some(&mut scalars[..]), Some(&mut mask[..]));
        vector.step(&actions, BatchMut { planes, scalars, mask, ..BatchMut::default() })?;
        plies += games as u64;
    }
    let rate = plies as f64 / (busy(start) - before).as_secs_f64();
    writeln!(out, "{name} {games} games stepped together, observed, with masks: {:.3} M plies/s", rate / 1e6)?;
    Ok(())
}
