"""OpenSpiel's own algorithms on boards small enough for whole trees, against what `anqi solve` tells."""

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import anqi

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import policy as policies  # noqa: E402
from open_spiel.python.algorithms import expected_game_score, exploitability, minimax  # noqa: E402

import anqi.openspiel  # noqa: E402

BINARY = Path(__file__).parents[2] / "target" / "release" / "anqi"
pytestmark = pytest.mark.skipif(not BINARY.exists(), reason="needs target/release/anqi")

anqi.openspiel.register()

TINY = "board=2x2,pieces=C1P1,quiet_limit=4,repetition=none"
SMALL = "board=2x3,pieces=K1C1P1,quiet_limit=3,repetition=none"


@cache
def solved(options: str, position: str | None) -> dict[str, Any]:
    """What `anqi solve` tells of a position: the first seat's value, and that of each action for the seat to move."""
    command = [str(BINARY), "solve", f"darkchess:mini,{options}", "--json", "-"]
    command += [] if position is None else ["--position", position]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def value(state: Any) -> float:
    """A position's value for the first seat, from the whole tree below it."""

    def never(state: Any) -> float:
        raise AssertionError("the tree ends by itself")

    return float(minimax.expectiminimax(state, 1000, never, 0)[0])


@pytest.mark.parametrize(("options", "expected"), [(TINY, -1 / 3), (TINY.replace("C1P1", "K1P1"), -1.0)])
def test_the_value_of_the_start(options: str, expected: float) -> None:
    state = pyspiel.load_game(f"anqi_darkchess(profile=mini,{options})").new_initial_state()
    assert value(state) == pytest.approx(expected, abs=1e-6)
    assert solved(options, None)["value_first_seat"] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    "position",
    [
        "KcX/1X1 0 r P1p1 0 5",
        "KcX/1XC 1 r P1p1 2 8",
        "1Xp/C1X 0 r K1k1 2 9",
        "K1p/1cC 0 r - 0 7",
        "PX1/1kc 1 r C1 1 11",
    ],
)
def test_values_of_middle_games(position: str) -> None:
    state = pyspiel.load_game(f"anqi_darkchess(profile=mini,{SMALL})").new_initial_state()
    state.board = anqi.Game.from_position(f"darkchess:mini,{SMALL}", position)
    found = solved(SMALL, position)
    assert value(state) == pytest.approx(found["value_first_seat"], abs=1e-6)
    for row in found["actions"]:
        after = state.clone()
        after.apply_action(state.board.action_id(row["action"]))
        sign = 1 if state.current_player() == 0 else -1
        assert sign * value(after) == pytest.approx(row["value"], abs=1e-6), row["action"]


class Solver(policies.Policy):  # type: ignore[misc]
    """Plays an action that `anqi solve` values most."""

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        rows = solved(TINY, state.board.position())["actions"]
        best = max(rows, key=lambda row: row["value"])
        return {state.board.action_id(best["action"]): 1.0}


def test_best_responses_find_nothing_against_exact_play() -> None:
    game = pyspiel.load_game(f"anqi_darkchess(profile=mini,{TINY})")
    exact, anything = Solver(game, [0, 1]), policies.UniformRandomPolicy(game)
    assert exploitability.nash_conv(game, exact) == pytest.approx(0, abs=1e-6)
    assert exploitability.nash_conv(game, anything) > 0.5
    scores = expected_game_score.policy_value(game.new_initial_state(), [exact, exact])
    assert scores == pytest.approx([-1 / 3, 1 / 3], abs=1e-6)
