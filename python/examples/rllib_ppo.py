"""PPO of RLlib on a small board: one seat against an agent, illegal actions masked.

    python python/examples/rllib_ppo.py --iterations 10

RLlib's module for masked actions wants observations as `{"observations", "action_mask"}`.
"""

import argparse
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env


def masked(config: dict[str, Any]) -> gymnasium.Env[Any, Any]:
    """The environment as RLlib's module takes it; also called in RLlib's own processes."""
    import anqi  # noqa: F401  (registers the environments)

    env = gymnasium.make("anqi/DarkChess-v0", **config)
    seen: Any = env.observation_space
    size = int(np.prod(seen["planes"].shape)) + seen["scalars"].shape[0]
    space = spaces.Dict(
        {
            "observations": spaces.Box(-1.0, 255.0, (size,), np.float32),
            "action_mask": spaces.Box(0.0, 1.0, seen["action_mask"].shape, np.float32),
        }
    )

    def flat(observation: dict[str, Any]) -> dict[str, Any]:
        return {
            "observations": np.concatenate([observation["planes"].ravel(), observation["scalars"]], dtype=np.float32),
            "action_mask": observation["action_mask"].astype(np.float32),
        }

    return gymnasium.wrappers.TransformObservation(env, flat, space)


def main() -> None:
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--game", default="darkchess:mini")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--iterations", type=int, default=20, help="of 4,000 decisions")
    parser.add_argument("--runners", type=int, default=0, help="processes that play; 0 plays in this one")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    register_env("anqi_masked", masked)
    config = (
        PPOConfig()
        .environment("anqi_masked", env_config={"game": args.game, "opponent": args.opponent})
        .env_runners(num_env_runners=args.runners, num_envs_per_env_runner=8)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                model_config=DefaultModelConfig(fcnet_hiddens=[128, 128], fcnet_activation="relu"),
            )
        )
        .training(
            gamma=1.0,
            # RLlib's default of 1 leaves every action the luck of the whole rest of the game.
            lambda_=0.9,
            lr=1e-3,
            grad_clip=0.5,
            clip_param=0.2,
            entropy_coeff=0.01,
            use_kl_loss=False,
            train_batch_size_per_learner=4000,
            minibatch_size=500,
            num_epochs=8,
        )
        .debugging(seed=args.seed)
    )
    algorithm = config.build_algo()
    for iteration in range(1, args.iterations + 1):
        found = algorithm.train()["env_runners"]
        print(f"iteration {iteration}: mean result of the last games {found['episode_return_mean']:+.2f}", flush=True)
    algorithm.stop()


if __name__ == "__main__":
    main()
