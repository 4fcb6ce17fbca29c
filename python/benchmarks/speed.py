"""How fast the vector environments are, on one thread and on two, and beside other libraries'.

    python python/benchmarks/speed.py

Times are of the processor, so that other programs matter little, except where two threads race: they need two idle
cores. Each figure is the best of several runs. OpenSpiel's own dark chess (banqi) takes part where it is installed.
"""

import argparse
import threading
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import anqi

GAME = "darkchess"


def plies_per_second(prepare: Callable[[], Any], step: Callable[[Any], int], seconds: float, repeats: int = 5) -> float:
    """Plies per second of processor time in `step`, which tells how many it played."""
    best = 0.0
    for _ in range(repeats):
        plies, spent = 0, 0.0
        while spent < seconds / repeats:
            given = prepare()
            began = time.process_time()
            plies += step(given)
            spent += time.process_time() - began
        best = max(best, plies / spent)
    return best


def vec_game(games: int, seconds: float) -> float:
    env = anqi.VecGame(GAME, num_envs=games, seed=1, threads=1)
    env.reset()

    def step(actions: Any) -> int:
        env.step(actions)
        return games

    return plies_per_second(env.sample_actions, step, seconds)


def make_vec(games: int, seconds: float) -> float:
    """The Gymnasium environment in which each step is one ply of whoever is to move, actions drawn beforehand."""
    envs: Any = gymnasium.make_vec("anqi/DarkChess-v0", num_envs=games, opponent=None, threads=1)
    _, info = envs.reset(seed=1)
    rng, masks = np.random.default_rng(1), [info["action_mask"]]

    def choose() -> Any:
        return (masks[0] * rng.random(masks[0].shape, np.float32)).argmax(axis=1)

    def step(actions: Any) -> int:
        *_, found = envs.step(actions)
        masks[0] = found["action_mask"]
        return games

    return plies_per_second(choose, step, seconds)


def sync_vec(games: int, seconds: float) -> float:
    """Gymnasium's SyncVectorEnv over single environments: a Python loop; each step is two plies, ours and an answer."""
    made = [lambda: gymnasium.make("anqi/DarkChess-v0", opponent="random")] * games
    envs = gymnasium.vector.SyncVectorEnv(made)
    _, info = envs.reset(seed=1)
    rng, masks = np.random.default_rng(1), [info["action_mask"]]

    def choose() -> Any:
        return (masks[0] * rng.random(masks[0].shape)).argmax(axis=1)

    def step(actions: Any) -> int:
        *_, found = envs.step(actions)
        masks[0] = found["action_mask"]
        return 2 * games

    return plies_per_second(choose, step, seconds)


def open_spiel(games: int, seconds: float) -> float | None:
    """OpenSpiel's banqi in OpenSpiel's own vector environment: rules in C++, a Python loop over games."""
    try:
        from open_spiel.python import rl_environment
        from open_spiel.python.vector_env import SyncVectorEnv
    except ModuleNotFoundError:
        return None
    envs = SyncVectorEnv([rl_environment.Environment("banqi") for _ in range(games)])
    steps, rng = [envs.reset()], np.random.default_rng(1)

    def choose() -> Any:
        from open_spiel.python.rl_agent import StepOutput

        chosen = []
        for now in steps[0]:
            legal = now.observations["legal_actions"][now.observations["current_player"]]
            chosen.append(StepOutput(action=int(rng.choice(legal)), probs=None))
        return chosen

    def step(actions: Any) -> int:
        steps[0], *_ = envs.step(actions, reset_if_done=True)
        return games

    return plies_per_second(choose, step, seconds)


def two_threads(games: int, steps: int, repeats: int = 7) -> float:
    """How much more two Python threads do than one, each with a VecGame of its own that works on one thread."""
    envs = [anqi.VecGame(GAME, num_envs=games, seed=seed, threads=1) for seed in range(2)]

    def play(env: anqi.VecGame) -> None:
        for _ in range(steps):
            env.step(env.sample_actions())

    best = 0.0
    for _ in range(repeats):
        began = time.perf_counter()
        for env in envs:
            play(env)
        middle = time.perf_counter()
        threads = [threading.Thread(target=play, args=(env,)) for env in envs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        best = max(best, (middle - began) / (time.perf_counter() - middle))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--games", type=int, default=4096)
    parser.add_argument("--seconds", type=float, default=5.0, help="of each measurement")
    args = parser.parse_args()
    native = make_vec(args.games, args.seconds)
    print(f"VecGame, {args.games} games              {vec_game(args.games, args.seconds):12,.0f} plies/s")
    print(f"gymnasium.make_vec, {args.games} games   {native:12,.0f} plies/s")
    others = {"Gymnasium's SyncVectorEnv, 64 games": sync_vec(64, args.seconds)}
    found = open_spiel(64, args.seconds)
    if found is not None:
        others["OpenSpiel's banqi, 64 games"] = found
    for name, speed in others.items():
        print(f"{name:35} {speed:12,.0f} plies/s; make_vec is {native / speed:,.0f} times as fast")
    print(f"two threads do {two_threads(args.games, max(1, 200_000 // args.games)):.2f} times what one does")


if __name__ == "__main__":
    main()
