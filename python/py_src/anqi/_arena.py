"""Matches of two agents."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from anqi import _native
from anqi._native import Agent


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A score without the luck of the flips: as right in the mean, and surer.

    What chance showed is weighed against all that it might have shown; docs/judging.md tells how.
    """

    score: float
    """Mean result of `a` with the luck taken off; beyond 0 and 1 only by chance."""
    interval: tuple[float, float]
    """The score's 95 % interval."""
    luck: float
    """Points that luck gave `a` in the mean over pairs: what was taken off."""
    worth_pairs: float
    """Pairs that would be as sure without the adjustment."""


@dataclass(frozen=True, slots=True)
class ArenaResult:
    """What a match came to, for the first agent.

    The unit is a pair: one deal played twice, the second time with the agents' seats swapped. The interval is over
    pairs, for the two games of a pair are not independent.
    """

    game: str
    """The game with its profile and options."""
    a: str
    """The first agent."""
    b: str
    """The second agent."""
    seed: int
    """What the deals follow from."""
    score: float
    """Mean result of `a`: a win is 1, a draw 1/2, a loss 0."""
    interval: tuple[float, float]
    """The score's 95 % interval."""
    pairs: NDArray[np.float64]
    """Result of `a` in each pair, the mean of its games: float64 [pairs]."""
    won: int
    """Games that `a` won."""
    drawn: int
    """Games drawn."""
    lost: int
    """Games that `a` lost."""
    plies: int
    """Plies of all games."""
    endings: dict[str, int]
    """How the games ended: by reason, how many."""
    adjusted: Adjusted | None
    """The score without luck; None in Junqi, where it is not measured, and below 20 pairs."""

    @property
    def elo(self) -> float:
        """By how many Elo `a` is stronger, from its score; infinite when it won or lost everything."""
        return _elo(self.score)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The ends of the score's interval in Elo."""
        return _elo(self.interval[0]), _elo(self.interval[1])

    def __str__(self) -> str:
        low, high = self.interval
        adjusted = ""
        if self.adjusted is not None:
            ends = self.adjusted.interval
            adjusted = f"without luck {self.adjusted.score:.3f} ({ends[0]:.3f} - {ends[1]:.3f}), "
        return (
            f"{self.a} - {self.b} on {self.game}: score {self.score:.3f} ({low:.3f} - {high:.3f}), {adjusted}"
            f"Elo {self.elo:+.0f} ({self.elo_interval[0]:+.0f} .. {self.elo_interval[1]:+.0f}), "
            f"{self.won} won, {self.drawn} drawn, {self.lost} lost in {len(self.pairs)} pairs"
        )

    def _repr_html_(self) -> str:
        """The table that notebooks show."""
        cells = {
            "match": f"{escape(self.a)} &ndash; {escape(self.b)}",
            "score": f"{self.score:.3f}",
            "95 % interval": f"{self.interval[0]:.3f} &ndash; {self.interval[1]:.3f}",
            **self._adjusted_cells(),
            "Elo": f"{self.elo:+.0f} ({self.elo_interval[0]:+.0f} .. {self.elo_interval[1]:+.0f})",
            "won": str(self.won),
            "drawn": str(self.drawn),
            "lost": str(self.lost),
            "pairs": str(len(self.pairs)),
        }
        head = "".join(f"<th>{name}</th>" for name in cells)
        body = "".join(f"<td>{value}</td>" for value in cells.values())
        caption = f"{escape(self.game)}, seed {self.seed}"
        return f"<table><caption>{caption}</caption><tr>{head}</tr><tr>{body}</tr></table>"

    def _adjusted_cells(self) -> dict[str, str]:
        if self.adjusted is None:
            return {}
        low, high = self.adjusted.interval
        return {"without luck": f"{self.adjusted.score:.3f} ({low:.3f} &ndash; {high:.3f})"}


def arena(
    game: str,
    a: str | Agent,
    b: str | Agent,
    pairs: int = 200,
    seed: int = 0,
    threads: int | None = None,
    callback: Callable[[int, int], object] | None = None,
) -> ArenaResult:
    """Plays a match of two agents: each deal twice, with the seats swapped.

    The same seed gives the same match on any number of threads. Ctrl-C ends it with KeyboardInterrupt.

    Args:
        game: The game with profile and options, such as "darkchess:icga".
        a: The first agent, by name such as "greedy" or "net:checkpoints/darkchess", or an `anqi.Agent`, whose name
            counts.
        b: The second.
        pairs: How many deals.
        seed: What deals and choices follow from.
        threads: Threads that share the work; None takes one for each core.
        callback: Is told (pairs done, pairs) as the match goes on.
    """
    first, second = (agent.name if isinstance(agent, Agent) else agent for agent in (a, b))
    results, (won, drawn, lost), plies, endings, (score, low, high), found = _native._arena(
        game, first, second, pairs, seed, threads, callback
    )
    adjusted = None
    if found is not None:
        (mean, *ends), luck, worth = found
        adjusted = Adjusted(mean, (ends[0], ends[1]), luck, worth)
    return ArenaResult(
        game=_native.Game(game, seed=0).name,
        a=first,
        b=second,
        seed=seed,
        score=score,
        interval=(low, high),
        pairs=np.array(results),
        won=won,
        drawn=drawn,
        lost=lost,
        plies=plies,
        endings=dict(endings),
        adjusted=adjusted,
    )


def _elo(score: float) -> float:
    if not 0.0 < score < 1.0:
        return math.copysign(math.inf, score - 0.5)
    return 400.0 * math.log10(score / (1.0 - score))
