//! A fixed number of random plies, for counting instructions:
//!
//! ```sh
//! cargo build --release -p anqi-env --example plies
//! valgrind --tool=callgrind target/release/examples/plies darkchess:gametower full 200000
//! ```
//!
//! What is written: `rules` (nothing), `masks`, or `full` (masks and observations). 256 games at a time on one thread.

use anqi_env::any::{AnyRules, AnyVecGame};
use anqi_env::vector::BatchMut;
use anqi_env::with_vec_family;

const GAMES: usize = 256;

fn main() -> Result<(), anqi_env::Error> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, rules, what, plies] = &arguments[..] else {
        eprintln!("usage: plies RULES rules|masks|full PLIES");
        std::process::exit(2);
    };
    let rules = AnyRules::parse(rules)?;
    let spec = rules.spec().clone();
    let steps = plies.parse::<usize>().unwrap_or(0) / GAMES;
    let mut actions = vec![0; GAMES];
    let mut planes = vec![0; GAMES * spec.planes_len()];
    let mut scalars = vec![0.0; GAMES * spec.num_scalars];
    let mut mask = vec![0; GAMES * spec.num_actions];
    let mut games: AnyVecGame = rules.start_many(GAMES, 1, 1)?;
    with_vec_family!(&mut games, games => {
        for _ in 0..steps {
            games.sample_actions(&mut actions)?;
            let full = what == "full";
            games.step(&actions, BatchMut {
                planes: full.then_some(&mut planes),
                scalars: full.then_some(&mut scalars),
                mask: (full || what == "masks").then_some(&mut mask),
                ..BatchMut::default()
            })?;
        }
    });
    Ok(())
}
