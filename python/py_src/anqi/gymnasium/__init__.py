"""Gymnasium: one seat against an opponent, one game or thousands at once.

The games are registered by `import anqi`::

    import anqi
    import gymnasium

    env = gymnasium.make("anqi/DarkChess-v0", opponent="greedy")
    envs = gymnasium.make_vec("anqi/DarkChess-v0", num_envs=1024, opponent="greedy")

An observation is a dict of `planes`, `scalars` and `action_mask`, as `docs/observations.md` describes them; the mask
is in `info["action_mask"]` too. The reward is 1 for a win, -1 for a loss, else 0. An illegal action loses the game.
"""

from anqi import _missing

try:
    from anqi.gymnasium.env import GameEnv
    from anqi.gymnasium.vector import GameVectorEnv
except ModuleNotFoundError as fault:
    raise _missing.package(fault, "gymnasium", "gymnasium") from fault

__all__ = ["GameEnv", "GameVectorEnv"]
