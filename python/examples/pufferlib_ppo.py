"""PPO over PufferLib's vector environments on a small board: one seat against an agent, illegal actions masked.

    python python/examples/pufferlib_ppo.py --plies 150000 --out runs/pufferlib

PufferLib packs an observation into bytes; each game is an environment of its own here, in this process or in several.
The network is `anqi.torch.Mlp`, so that what was learned becomes a checkpoint that plays everywhere.
"""

import argparse
from functools import partial

import gymnasium
import numpy as np
import pufferlib.emulation
import pufferlib.vector
import torch
from torch import Tensor, nn

import anqi
import anqi.torch

STEPS = 32


def make(game: str, opponent: str) -> pufferlib.emulation.GymnasiumPufferEnv:
    """One game as PufferLib takes it; also called in PufferLib's own processes."""
    options = {"game": game, "opponent": opponent}
    return pufferlib.emulation.GymnasiumPufferEnv(
        env_creator=gymnasium.make, env_args=["anqi/DarkChess-v0"], env_kwargs=options
    )


def answers(net: anqi.torch.Mlp, packed: np.ndarray, kind: np.dtype) -> tuple[Tensor, Tensor]:
    """Log-probabilities of the legal actions, and of win, draw and loss."""
    seen = packed.view(kind)[:, 0]
    logits, wdl = net(*(torch.from_numpy(np.ascontiguousarray(seen[name])) for name in ("planes", "scalars")))
    illegal = torch.from_numpy(seen["action_mask"] == 0)
    return logits.masked_fill(illegal, -1e9).log_softmax(1), wdl.log_softmax(1)


def value(wdl: Tensor) -> np.ndarray:
    """The expected result."""
    odds: np.ndarray = wdl.exp().numpy()
    return odds[:, 0] - odds[:, 2]


def main() -> None:
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--game", default="darkchess:mini")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--plies", type=int, default=150_000, help="decisions of the learner")
    parser.add_argument("--envs", type=int, default=128)
    parser.add_argument("--workers", type=int, default=0, help="processes that play; 0 plays in this one")
    parser.add_argument("--pairs", type=int, default=200, help="duplicate deals of the match at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="runs/pufferlib", help="the checkpoint's folder, which must not exist")
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # small networks are slower on several
    where = {"backend": pufferlib.vector.Serial}
    if args.workers:
        where = {"backend": pufferlib.vector.Multiprocessing, "num_workers": args.workers}
    envs = pufferlib.vector.make(partial(make, args.game, args.opponent), num_envs=args.envs, **where)
    kind = envs.driver_env.obs_dtype
    game = anqi.Game(args.game, seed=0)
    net = anqi.torch.Mlp.of(game)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

    packed, _ = envs.reset(seed=args.seed)
    over, played = np.zeros(args.envs, bool), 0
    while played < args.plies:
        rows: dict[str, list[np.ndarray]] = {name: [] for name in ("seen", "action", "logp", "value", "counts")}
        rewards, ends = [], []
        for _ in range(STEPS):
            packed = packed.copy()  # PufferLib writes the next one into the same array
            with torch.no_grad():
                logp, wdl = answers(net, packed, kind)
            action = torch.multinomial(logp.exp(), 1)
            # In the step after a game's last, PufferLib begins the next game whatever the action is.
            step = (packed, action.squeeze(1), logp.gather(1, action).squeeze(1), value(wdl), ~over)
            for name, array in zip(rows, step, strict=True):
                rows[name].append(np.asarray(array))
            packed, reward, terminals, truncations, _ = envs.step(action.squeeze(1).numpy())
            over = terminals | truncations
            rewards.append(reward.copy())
            ends.append(over)
        with torch.no_grad():
            values = [*rows["value"], value(answers(net, packed.copy(), kind)[1])]

        advantages, following = np.zeros((STEPS, args.envs), np.float32), np.zeros(args.envs, np.float32)
        for step_back in reversed(range(STEPS)):
            goes_on = ~ends[step_back]
            delta = rewards[step_back] + goes_on * values[step_back + 1] - values[step_back]
            advantages[step_back] = following = delta + 0.95 * goes_on * following
        counts = np.concatenate(rows["counts"])
        flat = {name: np.concatenate(arrays)[counts] for name, arrays in rows.items()}
        gain, result = (
            torch.from_numpy(array.ravel()[counts].astype(np.float32))
            for array in (advantages, (advantages + np.stack(values[:-1])).clip(-1, 1))
        )
        gain = (gain - gain.mean()) / gain.std()
        target = torch.stack([result.clamp(min=0), 1 - result.abs(), (-result).clamp(min=0)], 1)
        played += len(gain)

        for _ in range(3):
            for part in torch.randperm(len(gain)).split(512):
                logp, wdl = answers(net, flat["seen"][part], kind)
                taken = logp.gather(1, torch.from_numpy(flat["action"][part])[:, None]).squeeze(1)
                ratio = (taken - torch.from_numpy(flat["logp"][part])).exp()
                policy = -torch.min(ratio * gain[part], ratio.clamp(0.8, 1.2) * gain[part]).mean()
                entropy = -(logp.exp() * logp.clamp(min=-50)).sum(1).mean()
                loss = policy - 0.5 * (target[part] * wdl).sum(1).mean() - 0.01 * entropy
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                optimizer.step()
        results = np.stack(rewards)[np.stack(ends)]
        print(f"{played} decisions, mean result of {len(results)} games {results.mean():+.2f}", flush=True)
    envs.close()

    anqi.torch.save(args.out, net, game, plies=played, seed=args.seed)
    print(anqi.arena(args.game, f"net:{args.out}", args.opponent, pairs=args.pairs, seed=args.seed))


if __name__ == "__main__":
    main()
