"""Junqi inside OpenSpiel: hidden ranks come in by chance, and a player's strings tell what it knows."""

import math

import pytest

import anqi

pyspiel = pytest.importorskip("pyspiel")

import numpy as np  # noqa: E402

import anqi.openspiel  # noqa: E402

anqi.openspiel.register()

PLAYS = 40


@pytest.mark.parametrize(
    "name",
    [
        "anqi_luzhanqi(quiet_limit=10)",
        "anqi_luzhanqi(setup=play,quiet_limit=10)",
        "anqi_duel(quiet_limit=10,reveal=both)",
        "anqi_siguo(profile=double-open,ply_limit=40,signals=yes)",
    ],
)
def test_random_simulation(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), 1, False, False)


def set_up(state: object, rng: np.random.RandomState) -> float:
    """Draws the set-up and gives the logarithm of its probability."""
    total = 0.0
    while state.is_chance_node():  # type: ignore[attr-defined]
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)  # type: ignore[attr-defined]
        assert sum(chances) == pytest.approx(1)
        drawn = rng.choice(len(outcomes), p=chances)
        total += math.log(chances[drawn])
        state.apply_action(outcomes[drawn])  # type: ignore[attr-defined]
    return total


def layouts() -> int:
    """How many legal layouts a seat has: mines on two rows, bombs not in front, the flag in a headquarters."""
    flag = 2
    mines = math.comb(9, 3)
    bombs = math.comb(16, 2)  # 24 posts without flag, less 5 in front and 3 mines
    rest = math.factorial(19)
    for count in (1, 1, 2, 2, 2, 2, 3, 3, 3):
        rest //= math.factorial(count)
    return flag * mines * bombs * rest


def test_every_layout_is_as_likely_as_any_other() -> None:
    game, rng = pyspiel.load_game("anqi_luzhanqi"), np.random.RandomState(1)
    for _ in range(20):
        state = game.new_initial_state()
        assert set_up(state, rng) == pytest.approx(-2 * math.log(layouts()))
        assert state.board.ply == 50 and state.current_player() == 0


def test_players_may_set_up_themselves() -> None:
    state = pyspiel.load_game("anqi_luzhanqi(setup=play)").new_initial_state()
    assert state.current_player() == 0 and not state.is_chance_node()
    assert [state.action_to_string(action) for action in state.legal_actions()][:2] == ["=F", "=L"]
    with pytest.raises(ValueError, match="setup=library: in OpenSpiel it is uniform or play"):
        pyspiel.load_game("anqi_luzhanqi(setup=library)")


def test_what_a_player_does_not_know_is_in_none_of_its_strings() -> None:
    """Games that differ in ranks that never fought are the same game to the other player, ply by ply."""
    game, rng, told = pyspiel.load_game("anqi_luzhanqi"), np.random.RandomState(3), 0
    for _ in range(8):
        first, second, start = (game.new_initial_state() for _ in range(3))
        set_up(first, rng)
        # The same ranks for player 0, others for player 1.
        for action in first.history()[:25]:
            second.apply_action(action)
        set_up(second, rng)
        assert first.information_state_string(1) != second.information_state_string(1)
        for _ in range(PLAYS):
            same = first.board.observation(0)["planes"].tobytes() == second.board.observation(0)["planes"].tobytes()
            if not same or first.is_terminal() or second.is_terminal():
                break
            assert first.information_state_string(0) == second.information_state_string(0)
            assert first.observation_string(0) == second.observation_string(0)
            assert first.observation_tensor(0) == second.observation_tensor(0)
            assert str(first) != str(second)
            told += 1
            both = set(first.legal_actions()) & set(second.legal_actions())
            action = int(rng.choice(sorted(both)))
            assert first.current_player() == second.current_player()
            first.apply_action(action)
            second.apply_action(action)
        assert start.information_state_string(0) != first.information_state_string(0)
    assert told > 60


def test_information_states_remember() -> None:
    """Two ways to one position are two information states and one observation, but for the last plies."""
    game, rng = pyspiel.load_game("anqi_luzhanqi"), np.random.RandomState(1)
    state = game.new_initial_state()
    set_up(state, rng)
    seen: set[str] = set()
    while not state.is_terminal() and state.board.ply < 120:
        for player in range(2):
            string = state.information_state_string(player)
            assert string not in seen
            seen.add(string)
        state.apply_action(int(rng.choice(state.legal_actions())))


def test_observations_are_shares_of_one() -> None:
    state = pyspiel.load_game("anqi_duel").new_initial_state()
    set_up(state, np.random.RandomState(1))
    tensor = np.array(state.observation_tensor(1))
    planes = state.board.observation(1)["planes"]
    assert tensor.max() == 1 and planes.max() == 255
    assert tensor[: planes.size] == pytest.approx(planes.ravel() / 255)
