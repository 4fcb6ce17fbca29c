"""Matches and training from Python."""

import copy
import json
import math
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import anqi


def test_a_match() -> None:
    result = anqi.arena("darkchess:mini", "greedy", anqi.Agent("random"), pairs=100, seed=3)
    assert (result.game, result.a, result.b, result.seed) == ("darkchess:mini", "greedy", "random", 3)
    assert len(result.pairs) == 100 and result.won + result.drawn + result.lost == 200
    assert result.score == pytest.approx(result.pairs.mean())
    assert result.score == pytest.approx((result.won + result.drawn / 2) / 200)
    assert 0.7 < result.interval[0] < result.score < result.interval[1] < 1
    assert result.elo == pytest.approx(400 * math.log10(result.score / (1 - result.score)))
    assert result.elo_interval[0] < result.elo < result.elo_interval[1]
    assert sum(result.endings.values()) == 200 and result.plies > 1000
    assert "greedy" in str(result) and f"{result.score:.3f}" in result._repr_html_()
    again = anqi.arena("darkchess:mini", "greedy", "random", pairs=100, seed=3, threads=1)
    assert np.array_equal(again.pairs, result.pairs)
    other = anqi.arena("darkchess:mini", "greedy", "random", pairs=100, seed=4)
    assert not np.array_equal(other.pairs, result.pairs)


def test_a_match_tells_the_score_without_luck() -> None:
    result = anqi.arena("darkchess", "greedy", "greedy", pairs=60, seed=3)
    adjusted = result.adjusted
    assert adjusted is not None
    # What is taken off is what luck gave.
    assert adjusted.score == pytest.approx(result.score - adjusted.luck, abs=1e-9)
    assert adjusted.interval[0] < adjusted.score < adjusted.interval[1]
    assert adjusted.worth_pairs > 0 and adjusted.interval != result.interval
    assert f"without luck {adjusted.score:.3f} (" in str(result)
    assert "<th>without luck</th>" in result._repr_html_() and f"<td>{adjusted.score:.3f} (" in result._repr_html_()
    for other in (
        anqi.arena("darkchess", "greedy", "greedy", pairs=19),
        anqi.arena("luzhanqi", "greedy", "random", pairs=20),
    ):
        assert other.adjusted is None
        assert "without luck" not in str(other) + other._repr_html_()


def test_a_match_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    anqi.arena("darkchess:mini", "random", "random", pairs=20, callback=lambda *news: told.append(news))
    assert sorted(told) == [(done, 20) for done in range(1, 21)]

    def fail(done: int, pairs: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        anqi.arena("darkchess", "random", "random", pairs=100_000, callback=fail)


def test_faults_of_a_match_are_named() -> None:
    with pytest.raises(ValueError, match="unknown agent 'gredy'"):
        anqi.arena("darkchess", "gredy", "random")
    with pytest.raises(ValueError, match="unknown game 'chess'"):
        anqi.arena("chess", "greedy", "random")
    with pytest.raises(ValueError, match="pairs: expected a number from 1"):
        anqi.arena("darkchess", "greedy", "random", pairs=0)


@pytest.fixture
def answers_ctrl_c() -> Iterator[None]:
    """A shell starts what runs in the background with the signal ignored; then nothing would ever be interrupted."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt_soon() -> None:
    def later() -> None:
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=later).start()


@pytest.mark.usefixtures("answers_ctrl_c")
def test_a_match_can_be_interrupted() -> None:
    interrupt_soon()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        anqi.arena("darkchess", "greedy", "greedy", pairs=1_000_000)
    assert time.monotonic() - began < 20


LONG: dict[str, Callable[[], object]] = {
    "expectimax": lambda: anqi.Agent("expectimax:depth=40").act(anqi.Game()),
    "value": lambda: anqi.Agent("expectimax:depth=40").value(anqi.Game()),
    "mcts": lambda: anqi.Agent("mcts:sims=1000000,playout=50").policy(anqi.Game()),
    "worlds": lambda: anqi.Agent("rules,search=worlds,n=1000").act(anqi.Game("siguo", seed=1)),
    "act_batch": lambda: anqi.Agent("expectimax:depth=4").act_batch(anqi.VecGame(num_envs=4096)),
}


@pytest.mark.usefixtures("answers_ctrl_c")
@pytest.mark.parametrize("call", LONG.values(), ids=LONG)
def test_a_search_can_be_interrupted(call: Callable[[], object]) -> None:
    interrupt_soon()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        call()
    assert time.monotonic() - began < 20


def test_the_lock_is_released() -> None:
    ticks = []
    worker = threading.Thread(target=lambda: anqi.arena("darkchess", "greedy", "greedy", pairs=300, threads=1))
    worker.start()
    while worker.is_alive():
        ticks.append(time.monotonic())
        time.sleep(0.001)
    assert len(ticks) > 10


def test_training(tmp_path: Path) -> None:
    rows: list[dict[str, float]] = []
    made = anqi.train(
        "darkchess:mini",
        preset="mini",
        out=tmp_path / "run",
        plies=70_000,
        seed=5,
        net={"width": 32},
        eval={"final_pairs": 4, "against": ["random"]},
        callback=rows.append,
    )
    assert made == str(tmp_path / "run" / "checkpoint")
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    assert [row for row in rows if "loss/value" in row] == lines[:-1]
    assert rows[-1]["strength/random"] == lines[-1]["strength/random"]
    game, agent = anqi.Game("darkchess:mini", seed=1), anqi.Agent(f"net:{made}")
    assert agent.act(game) in game.legal_actions()
    assert json.loads((Path(made) / "card.json").read_text())["net"]["width"] == 32
    with pytest.raises(ValueError, match="holds a run; go on with resume"):
        anqi.train("darkchess:mini", out=tmp_path / "run")
    more = anqi.train(resume=tmp_path / "run", plies=140_000)
    assert more == made
    assert json.loads((Path(made) / "card.json").read_text())["plies"] >= 140_000


@pytest.mark.usefixtures("answers_ctrl_c")
def test_training_ends_early(tmp_path: Path) -> None:
    made = anqi.train(
        "darkchess:mini", preset="mini", out=tmp_path / "a", plies=10**8, callback=lambda row: row["updates"] >= 2
    )
    assert json.loads((Path(made) / "card.json").read_text())["updates"] == 2

    def fail(row: dict[str, float]) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as raised:
        anqi.train("darkchess:mini", preset="mini", out=tmp_path / "b", plies=10**8, callback=fail)
    assert str(tmp_path / "b" / "checkpoint") in raised.value.__notes__[0]
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        anqi.train("darkchess:mini", preset="mini", out=tmp_path / "c", plies=10**8)
    assert (tmp_path / "c" / "checkpoint" / "model.safetensors").exists()


def test_faults_of_training_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"net\.widht.*unknown field"):
        anqi.train(out=tmp_path / "x", net={"widht": 3})
    with pytest.raises(ValueError, match="unknown preset 'fast'"):
        anqi.train(preset="fast", out=tmp_path / "x")
    with pytest.raises(ValueError, match="no such folder"):
        anqi.train(resume=tmp_path / "nothing")
    with pytest.raises(ValueError, match="preset and config"):
        anqi.train(preset="mini", config="a.toml")
    with pytest.raises(ValueError, match="resume"):
        anqi.train("darkchess", resume=tmp_path)
    with pytest.raises(TypeError, match=r"eval\.pairs: expected a number"):
        anqi.train(out=tmp_path / "x", eval={"pairs": object()})
    assert not (tmp_path / "x").exists()


def test_agents_and_results_are_pickled() -> None:
    agent = pickle.loads(pickle.dumps(anqi.Agent("greedy", seed=4)))
    assert (agent.name, agent.seed) == ("greedy", 4)
    # A copy goes on with the same draws.
    drawing, game = anqi.Agent("random", seed=4), anqi.Game("darkchess")
    first = [drawing.act(game) for _ in range(5)]
    for twin in (copy.copy(drawing), copy.deepcopy(drawing), pickle.loads(pickle.dumps(drawing))):
        assert [twin.act(game) for _ in range(5)] != first
    twin = copy.copy(drawing)
    assert [twin.act(game) for _ in range(20)] == [drawing.act(game) for _ in range(20)]
    result = anqi.arena("darkchess:mini", "greedy", "random", pairs=3)
    assert str(pickle.loads(pickle.dumps(result))) == str(result)
