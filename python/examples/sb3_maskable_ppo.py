"""MaskablePPO of sb3-contrib on a small board; then what it learned meets our bots.

    python python/examples/sb3_maskable_ppo.py --steps 200000

The training opponent is random at first and greedy in the second half.
"""

import argparse

import numpy as np
import torch
from sb3_contrib import MaskablePPO

import anqi.sb3


def score(model: MaskablePPO, game: str, opponent: str, games: int, seed: int) -> float:
    """The model's mean result over so many games, half of them in each seat: a win is 1, a draw 1/2, a loss 0."""
    results: list[float] = []
    for seat in (0, 1):
        env = anqi.sb3.VecEnv(game, num_envs=games // 2, opponent=opponent, seat=seat, seed=seed)
        observation = env.reset()
        open_rows = np.ones(games // 2, bool)
        while open_rows.any():
            actions, _ = model.predict(observation, action_masks=env.action_masks(), deterministic=True)
            observation, rewards, dones, _ = env.step(actions)
            # The first game of each row counts.
            results += ((1 + rewards[dones & open_rows]) / 2).tolist()
            open_rows &= ~dones
    return float(np.mean(results))


def main() -> None:
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--game", default="darkchess:mini")
    parser.add_argument("--steps", type=int, default=200_000, help="decisions of the learner")
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--games", type=int, default=400, help="games of each measurement")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    env = anqi.sb3.VecEnv(args.game, num_envs=args.envs, opponent="random", seed=args.seed, max_plies=200)
    torch.set_num_threads(1)  # small networks are slower on several
    settings = {"n_steps": 128, "batch_size": 1024, "n_epochs": 4, "gamma": 1.0, "learning_rate": 1e-3}
    model = MaskablePPO("MultiInputPolicy", env, seed=args.seed, **settings)
    print(f"before: {score(model, args.game, 'random', args.games, 7):.3f} against random")
    for opponent in ("random", "greedy"):
        env.opponent = opponent
        model.learn(args.steps // 2, reset_num_timesteps=False)
        print(f"{model.num_timesteps} decisions, the last against {opponent}")
    for opponent in ("random", "greedy"):
        print(f"after: {score(model, args.game, opponent, args.games, 7):.3f} against {opponent}")


if __name__ == "__main__":
    main()
