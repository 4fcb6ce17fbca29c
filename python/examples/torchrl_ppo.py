"""PPO of TorchRL on a small board: one seat against an agent, in many games at once.

    python python/examples/torchrl_ppo.py --plies 400000 --out runs/torchrl

The environment is the native vector one, and the network is `anqi.torch.Mlp`, so that what was learned becomes a
checkpoint that plays everywhere.
"""

import argparse

import gymnasium
import torch
from tensordict.nn import TensorDictModule
from torch import Tensor, nn
from torchrl.collectors import Collector
from torchrl.envs import GymWrapper
from torchrl.modules import ActorValueOperator, MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import anqi
import anqi.torch


class Policy(nn.Module):
    """The logits, and which of them count."""

    def forward(self, logits: Tensor, action_mask: Tensor) -> tuple[Tensor, Tensor]:
        return logits, action_mask.bool()


class Value(nn.Module):
    """The expected result from the odds of win, draw and loss."""

    def forward(self, wdl: Tensor) -> Tensor:
        odds = wdl.softmax(-1)
        return odds[..., :1] - odds[..., 2:]


class Network(anqi.torch.Mlp):
    """The fully connected network for any number of dimensions before a position's."""

    def forward(self, planes: Tensor, scalars: Tensor) -> tuple[Tensor, Tensor]:
        lead = scalars.shape[:-1]
        logits, wdl = super().forward(planes.flatten(0, len(lead) - 1), scalars.flatten(0, len(lead) - 1))
        return logits.unflatten(0, lead), wdl.unflatten(0, lead)


def main() -> None:
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--game", default="darkchess:mini")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--plies", type=int, default=400_000, help="decisions of the learner")
    parser.add_argument("--envs", type=int, default=128)
    parser.add_argument("--pairs", type=int, default=200, help="duplicate deals of the match at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="runs/torchrl", help="the checkpoint's folder, which must not exist")
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # small networks are slower on several
    # TorchRL starts finished games anew by itself.
    options = {"game": args.game, "opponent": args.opponent, "autoreset_mode": "Disabled"}
    env = GymWrapper(gymnasium.make_vec("anqi/DarkChess-v0", args.envs, **options), categorical_action_encoding=True)
    env.set_seed(args.seed)

    game = anqi.Game(args.game, seed=0)
    net = Network.of(game)
    masked = TensorDictModule(Policy(), ["logits", "action_mask"], ["logits", "mask"])
    model = ActorValueOperator(
        TensorDictModule(net, ["planes", "scalars"], ["logits", "wdl"]),
        ProbabilisticActor(
            masked, ["logits", "mask"], distribution_class=MaskedCategorical, return_log_prob=True, spec=env.action_spec
        ),
        TensorDictModule(Value(), ["wdl"], ["state_value"]),
    )
    policy, critic = model.get_policy_operator(), model.get_value_operator()
    advantages = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(policy, critic, normalize_advantage=True, entropy_coeff=0.01, critic_coeff=0.5)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)

    played, batch = 0, 32 * args.envs
    sizes = {"frames_per_batch": batch, "total_frames": -(-args.plies // batch) * batch}
    for data in Collector(env, policy, **sizes, auto_register_policy_transforms=False):
        with torch.no_grad():
            advantages(data)  # [envs, 32]
        played += data.numel()
        results = data["next", "reward"][data["next", "done"]]
        for _ in range(3):
            for rows in torch.randperm(data.numel()).split(512):
                losses = loss(data.reshape(-1)[rows])
                optimizer.zero_grad()
                (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
        print(f"{played} decisions, mean result of {len(results)} games {results.mean().item():+.2f}")

    anqi.torch.save(args.out, net, game, plies=played, seed=args.seed)
    print(anqi.arena(args.game, f"net:{args.out}", args.opponent, pairs=args.pairs, seed=args.seed))


if __name__ == "__main__":
    main()
