"""PettingZoo: every seat of one game, each an agent of an AEC environment.

Registered by `import anqi`, so that `pettingzoo.make("aec", "anqi/darkchess-v0")` works; `env("darkchess:mini")` makes
one of any rules. An observation is `{"observation": {"planes", "scalars"}, "action_mask"}`, from the agent's own side;
the mask is all zero for who is not to move. The mask is in the info, too. An illegal action ends the game: whoever
plays it gets -1, the others nothing.
"""

from typing import Any, ClassVar

import numpy as np

from anqi import _missing, _raster
from anqi._native import Game

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as fault:
    raise _missing.package(fault, "pettingzoo", "pettingzoo") from fault

__all__ = ["RawEnv", "env", "raw_env"]


class RawEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """One game whose seats are the agents seat_0, seat_1, ..; without the wrappers that `env` puts around it.

    Args:
        game: The game with profile and options, such as "darkchess:mini".
        max_cycles: Cuts a game off (`truncations`) after so many plies.
        render_mode: "human" prints the board, "ansi" gives it as text, "rgb_array" as a picture (needs Pillow).
        **options: Options of the game, such as quiet_limit=50.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["human", "ansi", "rgb_array"],
        "name": "anqi_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str = "darkchess",
        max_cycles: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        known = self.metadata["render_modes"]
        if render_mode is not None and render_mode not in known:
            raise ValueError(f"render_mode '{render_mode}': known are {', '.join(known)}")
        self.game = Game(game, seed=0, **options)
        self.render_mode = render_mode
        self._max_cycles = max_cycles
        self._deals = np.random.default_rng()
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.num_seats)]
        self.agents: list[str] = []
        seen: dict[str, spaces.Space[Any]] = {
            "planes": spaces.Box(0, 255, self.game.planes_shape, np.uint8),
            "scalars": spaces.Box(-1.0, 1.0, (self.game.num_scalars,), np.float32),
        }
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Dict(seen),
                    "action_mask": spaces.Box(0, 1, (self.game.num_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.game.num_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a new game."""
        if seed is not None:
            self._deals = np.random.default_rng(seed)
        self.game = Game(self.game.name, seed=int(self._deals.integers(2**63)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._turn()

    def step(self, action: Any) -> None:
        """Plays the selected agent's action; None is for one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        number = int(action)
        if 0 <= number < self.game.num_actions and self.game.legal_mask()[number]:
            self.game.step(number)
            if self.game.is_over:
                self.rewards = dict(zip(self.possible_agents, self.game.returns().tolist(), strict=True))
                self._end(self.terminations)
            elif self._max_cycles is not None and self.game.ply >= self._max_cycles:
                self._end(self.truncations)
        else:
            self.rewards[agent] = -1.0
            self._end(self.terminations)
        self._accumulate_rewards()
        self._turn()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and what it may play."""
        seen = self.game.observation(self.possible_agents.index(agent))
        return {
            "observation": {"planes": seen["planes"], "scalars": seen["scalars"]},
            "action_mask": self._mask(agent),
        }

    def render(self) -> Any:
        """The board as the seat to move sees it, in the form that `render_mode` names."""
        if self.render_mode == "human":
            print(self.game.text())
        elif self.render_mode == "ansi":
            return self.game.text()
        elif self.render_mode == "rgb_array":
            return _raster.draw(self.game)
        return None

    def close(self) -> None:
        """Nothing is held that must be closed."""

    def _end(self, flags: dict[str, bool]) -> None:
        flags.update(dict.fromkeys(self.agents, True))

    def _turn(self) -> None:
        over = any(self.terminations.values()) or any(self.truncations.values())
        self.agent_selection = self.agents[0] if over else self.possible_agents[self.game.to_move]
        for agent in self.agents:
            self.infos[agent] = {"action_mask": self._mask(agent)}

    def _mask(self, agent: str) -> Any:
        ended = self.terminations.get(agent, True) or self.truncations.get(agent, True)
        if ended or self.possible_agents.index(agent) != self.game.to_move:
            return np.zeros(self.game.num_actions, np.int8)
        return self.game.legal_mask().astype(np.int8)


raw_env = RawEnv


def env(game: str = "darkchess", **options: Any) -> Any:
    """The environment of a game, with PettingZoo's checks of the order of calls; see `RawEnv` for the options."""
    return wrappers.OrderEnforcingWrapper(RawEnv(game, **options))
