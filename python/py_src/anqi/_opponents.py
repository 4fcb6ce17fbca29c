"""Whoever plays the seats that are not being trained."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from anqi._native import Agent, Game, VecGame

Observation: TypeAlias = dict[str, NDArray[Any]]
"""What a seat sees: `planes` uint8 [.., C, H, W], `scalars` float32 [.., K], `action_mask` int8 [.., A]."""

Opponent: TypeAlias = str | Agent | Callable[[Game], int | str]
"""An agent's name, an agent, or a function of the game that gives an action's number or name."""

VectorOpponent: TypeAlias = str | Agent | Callable[[Observation], Any]
"""An agent's name, an agent, or a function of M observations that gives M actions."""


def player(opponent: Opponent, seed: int) -> Callable[[Game], int | str]:
    """The function that chooses for an opponent; `seed` is for an agent given by its name."""
    if isinstance(opponent, str):
        opponent = Agent(opponent, seed)
    if isinstance(opponent, Agent):
        return partial(_act, opponent)
    if callable(opponent):
        return opponent
    raise TypeError(f"opponent: expected an agent's name, an anqi.Agent or a function, not {type(opponent).__name__}")


def vector_player(
    opponent: VectorOpponent, seed: int
) -> Callable[[VecGame, NDArray[np.bool_], NDArray[np.uint8]], NDArray[Any]]:
    """The function that chooses in the rows marked, for the seats to move: actions [N]."""
    if isinstance(opponent, str):
        opponent = Agent(opponent, seed)
    if isinstance(opponent, Agent):
        return partial(_act_batch, opponent)
    if not callable(opponent):
        raise TypeError(
            f"opponent: expected an agent's name, an anqi.Agent or a function, not {type(opponent).__name__}"
        )
    return partial(_ask, opponent)


# Functions of the module, so that an environment can be pickled, and copied with its agent.


def _act(agent: Agent, game: Game) -> int:
    return agent.act(game)


def _act_batch(agent: Agent, vec: VecGame, rows: NDArray[np.bool_], seats: NDArray[np.uint8]) -> NDArray[Any]:
    return agent.act_batch(vec, rows)


def _ask(
    choose: Callable[[Observation], Any], vec: VecGame, rows: NDArray[np.bool_], seats: NDArray[np.uint8]
) -> NDArray[Any]:
    batch = vec.observe(seats)
    seen: Observation = {
        "planes": batch.planes[rows],
        "scalars": batch.scalars[rows],
        "action_mask": batch.mask[rows],
    }
    chosen = np.asarray(choose(seen))
    if chosen.shape != (int(rows.sum()),) or chosen.dtype.kind not in "iu":
        found = f"{chosen.dtype} {chosen.shape}"
        raise ValueError(f"opponent: expected {int(rows.sum())} integers, one for each position, not {found}")
    actions = np.full(len(rows), -1, np.int32)
    actions[rows] = chosen
    return actions
