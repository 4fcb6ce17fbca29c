"""Stable-Baselines3: thousands of games as one of its vector environments, for MaskablePPO of sb3-contrib.

::

    from sb3_contrib import MaskablePPO
    import anqi.sb3

    model = MaskablePPO("MultiInputPolicy", anqi.sb3.VecEnv("darkchess:mini", num_envs=64, opponent="random"))
"""

from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from anqi import _missing
from anqi._opponents import VectorOpponent
from anqi.gymnasium import GameVectorEnv

try:
    from stable_baselines3.common import vec_env
except ModuleNotFoundError as fault:
    raise _missing.package(fault, "stable_baselines3", "sb3") from fault

__all__ = ["VecEnv"]


class VecEnv(vec_env.VecEnv):  # type: ignore[misc]
    """One seat in each of many games; the opponent plays the others, and a finished game starts anew at once.

    An observation is a dict of `planes` uint8 [N, C * H * W], `scalars` float32 [N, K], `action_mask` int8 [N, A].

    Args:
        game: The game with profile and options, such as "darkchess:mini".
        num_envs: Number of games.
        opponent: As for `anqi.gymnasium.GameVectorEnv`; setting `env.opponent` changes it at any time.
        seed: What deals and draws follow from.
        **options: Further arguments of `anqi.gymnasium.GameVectorEnv`, such as seat, max_plies, threads.
    """

    def __init__(
        self,
        game: str = "darkchess",
        num_envs: int = 64,
        opponent: VectorOpponent | None = "random",
        seed: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.games = GameVectorEnv(
            num_envs, game, opponent, autoreset_mode="SameStep", render_mode=render_mode, **options
        )
        self._seed = seed
        self._actions: NDArray[Any] | None = None
        # The base class asks for it.
        self.render_mode = render_mode
        seen: dict[str, spaces.Space[Any]] = dict(cast("spaces.Dict", self.games.single_observation_space).spaces)
        # Three dimensions of bytes would be taken for a photograph, so the planes are one long row.
        seen["planes"] = spaces.Box(0, 255, (int(np.prod(seen["planes"].shape or ())),), np.uint8)
        super().__init__(num_envs, spaces.Dict(seen), self.games.single_action_space)

    @property
    def opponent(self) -> VectorOpponent | None:
        """Who plays the other seats; may be set at any time."""
        return self.games.opponent

    @opponent.setter
    def opponent(self, opponent: VectorOpponent | None) -> None:
        self.games.opponent = opponent

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """What the next `reset` follows from."""
        self._seed = seed
        return [seed] * self.num_envs

    def reset(self) -> Any:
        """Deals new games."""
        observation, _ = self.games.reset(seed=self._seed)
        self._seed = None
        observation["planes"] = observation["planes"].reshape(self.num_envs, -1)
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return observation

    def step_async(self, actions: NDArray[Any]) -> None:
        """Takes the actions: integers [N]."""
        self._actions = actions

    def step_wait(self) -> Any:
        """Plays the actions: observation, rewards, dones, infos."""
        if self._actions is None:
            raise RuntimeError("step_async comes first")
        observation, rewards, terminated, truncated, info = self.games.step(self._actions)
        self._actions = None
        dones = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(dones):
            last = {name: info["final_obs"][name][row] for name in observation}
            last["planes"] = last["planes"].ravel()
            infos[row] = {"terminal_observation": last, "TimeLimit.truncated": bool(truncated[row])}
        observation["planes"] = observation["planes"].reshape(self.num_envs, -1)
        return observation, rewards, dones, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """True for each legal action: bool [N, A]."""
        return self.games.action_masks()

    def env_method(
        self, method_name: str, *method_args: Any, indices: int | Iterable[int] | None = None, **method_kwargs: Any
    ) -> list[Any]:
        """`action_masks`, one row a game; a game has no other method."""
        if method_name != "action_masks":
            raise AttributeError(f"games have no method '{method_name}': known is action_masks")
        masks = self.action_masks()
        return [masks[row] for row in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether the games have an attribute."""
        return attr_name == "action_masks" or hasattr(self.games, attr_name)

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """An attribute, the same for all games."""
        return [getattr(self.games, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Sets an attribute, such as opponent, of all games."""
        if indices is not None:
            raise ValueError("indices: an attribute is that of all games")
        setattr(self.games, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: int | Iterable[int] | None = None) -> list[bool]:
        """No game is wrapped by anything."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """The boards as pictures, where `render_mode` is "rgb_array"."""
        if self.render_mode != "rgb_array":
            return [None] * self.num_envs
        return list(self.games.render())

    def close(self) -> None:
        """Nothing is held that must be closed."""
