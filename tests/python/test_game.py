"""One game: rules at the border, text forms, records, copies."""

import copy
import pickle
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import anqi

START = "XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX 0 - K1G2M2R2N2C2P5k1g2m2r2n2c2p5 0 1"


def play(game: anqi.Game, seed: int, plies: int = 10_000) -> anqi.Game:
    """Plays a game on at random."""
    rng = np.random.default_rng(seed)
    for _ in range(plies):
        if game.is_over:
            break
        game.step(rng.choice(game.legal_actions()))
    return game


def continuation(game: anqi.Game) -> list[str]:
    """Every position on the way to the end when the first legal action is always played."""
    game, positions = game.copy(), []
    while not game.is_over:
        game.step(game.legal_actions()[0])
        positions.append(game.position())
    return positions


def test_start() -> None:
    game = anqi.Game(seed=1)
    assert (game.name, game.seed, game.ply, game.to_move) == ("darkchess:taiwan", 1, 0, 0)
    assert (game.num_seats, game.planes_shape, game.num_scalars) == (2, (20, 4, 8), 32)
    assert not game.is_over and not game.is_truncated
    assert game.position() == START
    assert [game.action_name(action) for action in game.legal_actions()[:9]] == [
        "a1",
        "a2",
        "a3",
        "a4",
        "a5",
        "a6",
        "a7",
        "a8",
        "b1",
    ]
    assert repr(game) == "<anqi.Game darkchess:taiwan, 0 plies played, seat 0 to move>"


def test_types() -> None:
    game = play(anqi.Game(seed=2), 2, plies=30)
    legal, mask, returns = game.legal_actions(), game.legal_mask(), game.returns()
    assert [str(array.dtype) for array in (legal, mask, returns)] == ["int32", "bool", "float32"]
    assert (mask.shape, returns.shape) == ((game.num_actions,), (game.num_seats,))
    assert np.array_equal(np.flatnonzero(mask), legal)
    observation = game.observation()
    planes, scalars = observation["planes"], observation["scalars"]
    assert (str(planes.dtype), planes.shape) == ("uint8", game.planes_shape)
    assert (str(scalars.dtype), scalars.shape) == ("float32", (game.num_scalars,))
    assert np.array_equal(observation["planes"], game.observation(game.to_move)["planes"])
    assert not np.array_equal(observation["planes"], game.observation(1 - game.to_move)["planes"])


def test_options_are_part_of_the_name() -> None:
    name = "darkchess:taiwan,quiet_limit=70"
    assert anqi.Game("darkchess:taiwan", quiet_limit=70).name == name
    # The name is the shortest for the rules, whatever they were built from.
    assert (
        anqi.Game("darkchess:taiwan", quiet_limit=50, repetition="none", chase_limit=10).name == "darkchess:gametower"
    )
    assert anqi.Game(name).name == name
    assert anqi.Game("darkchess", board="2x4", pieces="K1G1C1P1", quiet_limit=40, repetition="none").name == (
        "darkchess:mini"
    )
    assert anqi.Game("darkchess:icga").legal_actions().size == 32


def test_a_seed_is_a_deal() -> None:
    def flips(seed: int | None, order: str) -> set[str]:
        game = anqi.Game(seed=seed)
        for square in order.split():
            game.step(square)
        rows = game.position().split()[0].split("/")
        return {f"{'abcd'[row]}{column + 1}={rows[row][column]}" for row, column in product(range(4), range(8))}

    assert flips(7, "a1 c4 d8") == flips(7, "d8 a1 c4") != flips(8, "a1 c4 d8")
    assert anqi.Game().seed != anqi.Game().seed
    fresh = anqi.Game()
    assert flips(fresh.seed, "a1 b2 c3") == flips(fresh.seed, "c3 b2 a1")


def test_steps_take_numbers_and_names() -> None:
    by_name, by_number = anqi.Game(seed=3), anqi.Game(seed=3)
    by_name.step("b5")
    by_number.step(np.int64(by_number.action_id("b5")))
    assert by_name.position() == by_number.position()
    for action in (0, 31, 32, 200, by_name.num_actions - 1):
        assert by_name.action_id(by_name.action_name(action)) == action


def test_the_end() -> None:
    game = anqi.Game.from_position("darkchess:taiwan", "K7/p7/8/8 1 r - 0 40")
    game.step("b1xa1")
    assert game.is_over and not game.is_truncated
    assert game.returns().tolist() == [-1.0, 1.0]
    assert game.legal_actions().size == 0 and not game.legal_mask().any()
    assert "seat 1 won (eliminated)" in str(game)
    with pytest.raises(anqi.IllegalActionError, match="the game is over"):
        game.step("a1")


def test_chance() -> None:
    game = anqi.Game.from_position("darkchess:taiwan", "KX6/1X6/8/8 0 r p2 0 31")
    assert game.chance_outcomes("a2") == [("p", 1.0)]
    assert game.chance_outcomes("a1-b1") == []
    assert sum(p for _, p in anqi.Game().chance_outcomes("c3")) == pytest.approx(1.0)
    game.step_with("a2", "p")
    assert game.position().startswith("Kp6/1X6/8/8 1 r p1 0 32")
    for outcome, message in [
        ("n", "it cannot show 'n'; possible are p"),
        ("?", "no piece"),
        (None, "piece it shows is missing"),
    ]:
        with pytest.raises(ValueError, match=message):
            game.step_with("b2", outcome)
    with pytest.raises(ValueError, match="nothing is left to chance"):
        game.step_with("a2xa1", "p")
    game.step_with("a2xa1")
    assert game.is_over


@pytest.mark.parametrize("seed", range(5))
def test_position_round_trip(seed: int) -> None:
    game = play(anqi.Game(seed=seed), seed, plies=20 * seed)
    again = anqi.Game.from_position("darkchess", game.position(), seed=1)
    assert again.position() == game.position()
    assert again.legal_actions().tolist() == game.legal_actions().tolist()
    assert np.array_equal(again.observation()["scalars"], game.observation()["scalars"])


def test_record_round_trip(tmp_path: Path) -> None:
    game = play(anqi.Game("darkchess:icga", seed=5), 5)
    text = game.record()
    file = tmp_path / "game.anqi"
    file.write_text(text, encoding="utf-8")
    for source in (text, file, str(file)):
        again = anqi.Game.from_record(source)
        assert (again.record(), again.position()) == (text, game.position())
        assert again.returns().tolist() == game.returns().tolist()
    assert anqi.Game.from_record(text, format="anqi").record() == text


def test_copies_share_nothing() -> None:
    game = play(anqi.Game(seed=6), 6, plies=12)
    future = continuation(game)
    for other in (game.copy(), copy.copy(game), copy.deepcopy(game)):
        assert continuation(other) == future
        play(other, 1)
    assert continuation(game) == future


@pytest.mark.parametrize("seed", range(4))
def test_pickles_keep_the_deal(seed: int) -> None:
    game = play(anqi.Game(seed=seed), seed, plies=15)
    assert continuation(pickle.loads(pickle.dumps(game))) == continuation(game)
    flip = next(action for action in game.legal_actions() if game.chance_outcomes(action))
    game.step_with(flip, game.chance_outcomes(flip)[-1][0])
    again = pickle.loads(pickle.dumps(game))
    assert continuation(again) == continuation(game)
    assert again.record() == game.record()
    row = anqi.VecGame(num_envs=2, seed=seed, threads=1).game(1)
    assert continuation(pickle.loads(pickle.dumps(row))) == continuation(row)
    moved = anqi.Game.from_position("darkchess:icga", game.position(), seed=9)
    assert continuation(pickle.loads(pickle.dumps(moved))) == continuation(moved)
    over = pickle.loads(pickle.dumps(play(game, seed)))
    assert over.is_over and (over.record(), over.text()) == (game.record(), game.text())


def perft(game: anqi.Game, depth: int) -> int:
    if depth == 0:
        return 1
    leaves = 0
    for action in game.legal_actions():
        outcomes: list[str | None] = [name for name, _ in game.chance_outcomes(action)]
        for outcome in outcomes or [None]:
            child = game.copy()
            child.step_with(action, outcome)
            leaves += perft(child, depth - 1)
    return leaves


def test_perft() -> None:
    # 8 squares, 8 different pieces; the second seat has none of its own face up yet, so it flips as well.
    mini = anqi.Game("darkchess:mini")
    assert perft(mini, 1) == 8 * 8
    assert perft(mini, 2) == 8 * 8 * 7 * 7
    assert perft(anqi.Game(), 1) == 32 * 14


def test_a_draw_is_offered_and_accepted_and_a_seat_resigns() -> None:
    game = anqi.Game("darkchess:mini", seed=1)
    with pytest.raises(anqi.IllegalActionError, match="none has been played"):
        game.offer_draw()
    game.step(0)
    game.offer_draw()
    with pytest.raises(anqi.IllegalActionError, match="seat 0 cannot accept"):
        game.accept_draw(0)
    resigned = game.copy()
    game.accept_draw()
    assert game.is_over and game.legal_actions().size == 0 and list(game.returns()) == [0.0, 0.0]
    resigned.resign()
    assert list(resigned.returns()) == [1.0, -1.0]
    for over, termination in ((game, "agreement"), (resigned, "resignation")):
        assert f'[Termination "{termination}"]' in over.record()
        again = anqi.Game.from_record(over.record())
        assert (again.is_over, again.record()) == (True, over.record())
        with pytest.raises(anqi.IllegalActionError, match="the game is over"):
            over.step(1)


DATA = Path(__file__).parent.parent / "data"


def test_records_of_other_programs_are_read() -> None:
    for name in ("PositionRepetitionDraw38", "NoMove", "TimeOut"):
        log = anqi.Game.from_record(DATA / "ntu" / f"{name}.txt", strict=True)
        assert log.is_over and log.name == "darkchess:taiwan"
    with pytest.warns(UserWarning, match=r"example\.txt: record, line 5, ply 26: the ply is not known"):
        source = anqi.Game.from_record(DATA / "source" / "example.txt")
    assert source.ply == 67 and source.is_over and source.returns()[1] == 1.0
    with pytest.raises(ValueError, match=r"example\.txt: record, line"):
        anqi.Game.from_record(DATA / "source" / "example.txt", strict=True)
    with pytest.raises(ValueError, match="might be anqi or tcga"):
        anqi.Game.from_record("1. a7(K) a8(p)\n")
    assert anqi.Game.from_record("1. a7(K) a8(p)\n", format="anqi", game="darkchess:icga").name == "darkchess:icga"
    with pytest.raises(ValueError, match="it holds 2 games"):
        anqi.Game.from_record(2 * anqi.Game("darkchess", seed=1).record())
