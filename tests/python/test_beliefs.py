"""What a seat can tell of what is hidden: exact where it can be counted, and never by looking."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import anqi

NAMES = ["darkchess", "darkchess:gametower-dark-chain", "tombchess", "siguo", "siguo:double-open", "duel", "luzhanqi"]


def played(name: str, seed: int, plies: int) -> anqi.Game:
    """Random play, stopped before the end."""
    game, agent = anqi.Game(name, seed=seed), anqi.Agent("random", seed=seed)
    while game.ply < plies:
        after = game.copy()
        after.step(agent.act(game))
        if after.is_over:
            break
        game = after
    return game


@pytest.mark.parametrize("name", NAMES)
def test_other_worlds_look_the_same(name: str) -> None:
    for seed, plies in ((1, 0), (2, 40), (3, 150)):
        game, differ = played(name, seed, plies), 0
        for seat in range(game.num_seats):
            for draw in range(4):
                world = game.resample(seat, seed=draw)
                seen, expected = world.observation(seat), game.observation(seat)
                assert np.array_equal(seen["planes"], expected["planes"])
                assert np.array_equal(seen["scalars"], expected["scalars"])
                assert world.text(seat) == game.text(seat)
                assert world.to_move == game.to_move and world.ply == game.ply
                # What is believed hangs on what is known, not on what is there.
                assert world.beliefs(seat) == game.beliefs(seat)
                again = game.resample(seat, seed=draw)
                other = (seat + 1) % game.num_seats
                assert np.array_equal(again.observation(other)["planes"], world.observation(other)["planes"])
                differ += world.record() != game.record()
        assert differ > 0
        follow = game.resample(seed=5)
        follow.step(int(follow.legal_actions()[0]))


def test_face_down_pieces_are_all_alike() -> None:
    game = played("darkchess", 3, 20)
    beliefs = game.beliefs()
    flips = {
        game.action_name(int(action)) for action in game.legal_actions() if "-" not in game.action_name(int(action))
    }
    assert {place for place, _, _ in beliefs} == flips and all(owner is None for _, owner, _ in beliefs)
    for place, _, kinds in beliefs:
        assert kinds == pytest.approx(dict(game.chance_outcomes(place)))
    assert game.beliefs(0) == game.beliefs(1)


def test_sampling_agrees_with_counting() -> None:
    game = played("darkchess:mini", 2, 3)
    place, _, kinds = game.beliefs()[0]
    shown: Counter[str] = Counter()
    for seed in range(2000):
        world = game.resample(seed=seed)
        world.step(place)
        shown[world.record().split(f"{place}(")[1].split(")")[0]] += 1
    assert set(shown) == set(kinds)
    for kind, probability in kinds.items():
        assert shown[kind] / 2000 == pytest.approx(probability, abs=0.05)


@pytest.mark.parametrize("name", ["siguo", "siguo:double-open", "duel", "luzhanqi", "luzhanqi:open"])
def test_ranks_of_others(name: str) -> None:
    game = played(name, 5, 80)
    for seat in range(game.num_seats):
        beliefs = game.beliefs(seat)
        owners = {owner for _, owner, _ in beliefs}
        seen = {seat, (seat + 2) % 4} if name == "siguo:double-open" else {seat}
        assert owners == (set() if name == "luzhanqi:open" else set(range(game.num_seats)) - seen)
        for _, _, kinds in beliefs:
            assert sum(kinds.values()) == pytest.approx(1) and set(kinds) <= set("FLB098765432")
        # A flag stands in one of two headquarters, and does not move.
        for owner in owners:
            flags = [kinds["F"] for _, whose, kinds in beliefs if whose == owner and "F" in kinds]
            assert sum(flags) == pytest.approx(1) and len(flags) <= 2


def test_set_ups() -> None:
    assert anqi.Game("darkchess").setup_chances() == [] == anqi.Game("duel").setup_chances()
    game = anqi.Game("duel:setup=play", seed=1)
    for _ in range(50):
        chances = game.setup_chances()
        assert [action for action, _ in chances] == game.legal_actions().tolist()
        assert sum(share for _, share in chances) == pytest.approx(1)
        game.step(chances[-1][0])
    assert game.setup_chances() == []


def test_faults() -> None:
    for ask in (anqi.Game().beliefs, anqi.Game().resample):
        with pytest.raises(ValueError, match="seat: expected a number from 0 to 1, not 2"):
            ask(2)
    with pytest.raises(ValueError, match="seed: expected a number from 0"):
        anqi.Game().resample(0, -1)


def test_a_network_tells_what_it_believes(tmp_path: Path) -> None:
    net = {"arch": "graph", "width": 32, "depth": 1, "beliefs": True}
    made = anqi.train("luzhanqi", out=tmp_path / "run", plies=4_096, net=net, eval={"final_pairs": 0})
    agent = anqi.Agent(f"net:{made}")
    game, differ = played("luzhanqi", 4, 60), 0
    told = {place: (owner, kinds) for place, owner, kinds in game.beliefs()}
    believed = {place: (owner, kinds) for place, owner, kinds in agent.beliefs(game)}
    assert believed.keys() == told.keys()
    for place, (owner, kinds) in believed.items():
        assert owner == told[place][0] and sum(kinds.values()) == pytest.approx(1, abs=1e-5)
        # The network learns which of the kinds that a piece may be are likelier; it cannot rule any in.
        assert kinds.keys() == told[place][1].keys()
        differ += any(abs(share - told[place][1][kind]) > 0.001 for kind, share in kinds.items())
    assert differ > 0
    assert anqi.Agent("rules").beliefs(game) == []
    with pytest.raises(ValueError, match=r"net\.beliefs: expected false, or arch"):
        anqi.train("darkchess:mini", out=tmp_path / "other", plies=100, net={"beliefs": True})
