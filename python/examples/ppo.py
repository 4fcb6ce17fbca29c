"""PPO with masks and self-play in one file, in the manner of CleanRL.

    python python/examples/ppo.py --game darkchess:mini --plies 2000000 --out runs/torch-mini

One network plays both seats. A ply's reward comes from its own seat: what the opponent's next state is worth counts
negatively. At the end the network is written as a checkpoint, so `anqi.Agent("net:runs/torch-mini")`, `anqi eval` and
`anqi arena` can use it, and it plays 100 deals against two bots.
"""

import argparse
import time
from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import nn

import anqi
import anqi.torch


@dataclass
class Args:
    """Everything that can be set on the command line."""

    game: str = "darkchess:mini"
    out: str = "runs/torch-ppo"
    seed: int = 1
    plies: int = 1_000_000
    envs: int = 256
    steps: int = 64
    """Plies of each game between two updates."""
    max_plies: int = 200
    width: int = 128
    learning_rate: float = 1e-3
    advantage_lambda: float = 0.9
    clip: float = 0.2
    entropy: float = 0.01
    value_weight: float = 0.5
    grad_norm: float = 0.5
    epochs: int = 2
    minibatches: int = 8
    pairs: int = 100
    """Deals of the matches at the end."""


def parse() -> Args:
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    for field in fields(Args):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
    return Args(**vars(parser.parse_args()))


def masked(logits: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Log-probabilities of the legal actions: [B, A]."""
    return torch.log_softmax(logits.masked_fill(mask == 0, -1e9), dim=1)


def expected(wdl: torch.Tensor) -> torch.Tensor:
    """The result that the three outcomes promise, from -1 to 1: [B]."""
    share = torch.softmax(wdl, dim=1)
    return share[:, 0] - share[:, 2]


def main(args: Args) -> None:
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    env = anqi.VecGame(args.game, num_envs=args.envs, seed=args.seed, max_plies=args.max_plies)
    net = anqi.torch.Mlp.of(anqi.Game(args.game), width=args.width)
    optimizer = torch.optim.Adam(net.parameters(), lr=args.learning_rate, eps=1e-5)
    updates = max(args.plies // (args.envs * args.steps), 1)
    games, began = 0, time.monotonic()
    batch = env.reset()
    rows = np.arange(args.envs)

    for update in range(updates):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - update / updates)

        # Play. T steps of N games: [T, N, ..]
        seen: dict[str, list[torch.Tensor]] = {name: [] for name in ("planes", "scalars", "mask", "action", "logp")}
        values, rewards, ends, seats = [], [], [], [batch.seat]
        for _ in range(args.steps):
            planes, scalars = torch.from_numpy(batch.planes), torch.from_numpy(batch.scalars)
            mask = torch.from_numpy(batch.mask)
            with torch.no_grad():
                logits, wdl = net(planes, scalars)
            logp = masked(logits, mask)
            action = torch.multinomial(logp.exp(), 1).squeeze(1)
            for name, value in zip(seen, (planes, scalars, mask, action, logp[rows, action]), strict=True):
                seen[name].append(value)
            values.append(expected(wdl).numpy())
            batch = env.step(action.numpy())
            # The seat that moved is the one that the batch before named.
            rewards.append(batch.rewards[rows, seats[-1]])
            ends.append(batch.terminated | batch.truncated)
            seats.append(batch.seat)
        games += int(np.sum(ends))
        with torch.no_grad():
            after = expected(net(torch.from_numpy(batch.planes), torch.from_numpy(batch.scalars))[1]).numpy()

        # Advantages, from the last ply back; what another seat expects is the opposite of what this one does.
        values.append(after)
        advantages, following = np.zeros((args.steps, args.envs), np.float32), np.zeros(args.envs, np.float32)
        for step in reversed(range(args.steps)):
            sign = np.where(seats[step] == seats[step + 1], 1.0, -1.0) * ~ends[step]
            delta = rewards[step] + sign * values[step + 1] - values[step]
            following = delta + args.advantage_lambda * sign * following
            advantages[step] = following
        returns = torch.from_numpy((advantages + np.stack(values[:-1])).astype(np.float32).ravel()).clamp(-1, 1)
        advantage = torch.from_numpy(advantages.ravel())
        flat = {name: torch.cat(parts) for name, parts in seen.items()}

        # Learn.
        total = args.envs * args.steps
        for _ in range(args.epochs):
            for part in torch.randperm(total).chunk(args.minibatches):
                logits, wdl = net(flat["planes"][part], flat["scalars"][part])
                logp = masked(logits, flat["mask"][part])
                ratio = (logp.gather(1, flat["action"][part, None]).squeeze(1) - flat["logp"][part]).exp()
                a = advantage[part]
                a = (a - a.mean()) / (a.std() + 1e-8)
                policy = -torch.min(ratio * a, ratio.clamp(1 - args.clip, 1 + args.clip) * a).mean()
                # The value head tells wins, draws and losses: a return r is a share r of wins, or -r of losses.
                share = torch.log_softmax(wdl, dim=1)
                r = returns[part]
                target = torch.stack([r.clamp(min=0), 1 - r.abs(), (-r).clamp(min=0)], dim=1)
                value = -(target * share).sum(dim=1).mean()
                entropy = -(logp.exp() * logp.clamp(min=-50)).sum(dim=1).mean()
                loss = policy + args.value_weight * value - args.entropy * entropy
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), args.grad_norm)
                optimizer.step()
        if update % max(updates // 10, 1) == 0 or update == updates - 1:
            plies = (update + 1) * total
            speed = plies / (time.monotonic() - began)
            print(f"{plies} plies, {games} games, {speed:.0f} plies/s, value {value:.3f}, entropy {entropy:.2f}")

    seconds = time.monotonic() - began
    anqi.torch.save(
        args.out,
        net,
        anqi.Game(args.game),
        settings=vars(args) | {"game": anqi.Game(args.game).name},
        plies=updates * args.envs * args.steps,
        games=games,
        updates=updates,
        seconds=seconds,
        seed=args.seed,
    )
    print(f"checkpoint: {args.out}")
    for bot in ("random", "greedy"):
        print(anqi.arena(args.game, f"net:{args.out}", bot, pairs=args.pairs, seed=args.seed))


if __name__ == "__main__":
    main(parse())
