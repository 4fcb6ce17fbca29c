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


def remembered(state: object, player: int) -> tuple[str, bytes]:
    """A player's information state as text, and as a tensor."""
    string = state.information_state_string(player)  # type: ignore[attr-defined]
    return string, np.array(state.information_state_tensor(player), np.float32).tobytes()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "name",
    [
        "anqi_luzhanqi(ply_limit=30)",
        "anqi_luzhanqi(ply_limit=30,setup=play)",
        "anqi_luzhanqi(ply_limit=400,quiet_limit=20,reveal=both,hq_moves=yes)",
        "anqi_duel(ply_limit=60,reveal=combatants)",
        "anqi_siguo(profile=double-open,ply_limit=60,signals=yes)",
    ],
)
def test_information_states_have_the_same_tensor_where_they_have_the_same_text(name: str) -> None:
    """Pairs of games with the same ranks for player 0 and others elsewhere, which go the same way while they can."""
    game, rng = pyspiel.load_game(name), np.random.RandomState(7)
    of_string: list[dict[str, bytes]] = [{} for _ in range(game.num_players())]
    of_tensor: list[dict[bytes, str]] = [{} for _ in range(game.num_players())]
    met = 0
    for _ in range(6):
        first, second = game.new_initial_state(), game.new_initial_state()
        placed = 25 * game.num_players()
        for count in range(placed):
            for state in (first, second):
                if state is second and count < 25:
                    action = first.history()[count]
                elif state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    action = rng.choice(outcomes, p=chances)
                else:
                    action = rng.choice(state.legal_actions())
                state.apply_action(int(action))
        while not first.is_terminal():
            together = set(first.legal_actions())
            if not second.is_terminal() and first.current_player() == second.current_player():
                together &= set(second.legal_actions()) or together
            action = int(rng.choice(sorted(together)))
            for state in (first, second):
                if not state.is_terminal() and action in state.legal_actions():
                    state.apply_action(action)
                for player in range(game.num_players()):
                    string, tensor = remembered(state, player)
                    met += string in of_string[player]
                    assert of_string[player].setdefault(string, tensor) == tensor
                    assert of_tensor[player].setdefault(tensor, string) == string
    assert met > 30
    assert sum(map(len, of_string)) > 300


def test_the_tensor_of_an_information_state_is_a_row_for_each_ply() -> None:
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game("anqi_luzhanqi(ply_limit=50,reveal=both)")
    kind = game.get_type()
    assert kind.provides_information_state_tensor and kind.provides_observation_tensor
    assert game.max_game_length() == 50
    seen = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    assert game.information_state_tensor_shape() == [seen.tensor.size]
    state, rng = game.new_initial_state(), np.random.RandomState(2)
    set_up(state, rng)
    fought = None
    while not state.is_terminal():
        name, ply = state.action_to_string(action := int(rng.choice(state.legal_actions()))), state.board.ply - 50
        state.apply_action(action)
        seen.set_from(state, 1)
        row, stations = seen.dict["plies"][ply], game.start.planes_shape[1]
        names = sorted({end for a in range(game.start.num_actions) for end in end_of(game.start.action_name(a))})
        start, end = end_of(name)
        assert row[: 2 * stations].nonzero()[0].tolist() == [names.index(start), stations + names.index(end)]
        assert not seen.dict["plies"][ply + 1 :].any()
        token = state.board.record(1).split()[-2]
        assert token.startswith(name)
        if "won+ranks" in token and fought is None:
            fought = row[2 * stations :]
            kinds = "FLB098765432"
            attacker, defender = (kinds.index(letter) for letter in token.split("ranks:")[1][:2])
            # Won, lost or both, the flags and seats that are out, then the ranks.
            assert fought[0] == 1 and fought[11:].nonzero()[0].tolist() == [attacker, 12 + defender]
    assert fought is not None
    assert seen.dict["player"].tolist() == [0, 1] and seen.dict["end"].tolist() == [1, *state.returns()]
    own, other = seen.dict["setup"][25:], seen.dict["setup"][:25]
    assert own[:, :12].sum() == 25 and other[:, 12].sum() == 25


def end_of(name: str) -> list[str]:
    """Where a move begins and ends; nothing for a placement."""
    return name.split("-") if "-" in name else []


def test_games_without_a_bound_have_no_tensor_of_information_states() -> None:
    game = pyspiel.load_game("anqi_luzhanqi")
    assert not game.get_type().provides_information_state_tensor
    state = game.new_initial_state()
    with pytest.raises(ValueError, match="with ply_limit only"):
        state.information_state_tensor(0)
    assert state.information_state_string(0).startswith("[Game")
    # A signal may stand before each move.
    assert pyspiel.load_game("anqi_siguo(ply_limit=10,signals=yes,setup=play)").max_game_length() == 120


def test_learners_get_information_states() -> None:
    from open_spiel.python import rl_environment

    game = pyspiel.load_game("anqi_luzhanqi(ply_limit=10)")
    env = rl_environment.Environment(game, observation_type=rl_environment.ObservationType.INFORMATION_STATE)
    env.seed(1)
    step = env.reset()
    rows = []
    while not step.last():
        player = step.observations["current_player"]
        rows.append(np.array(step.observations["info_state"][player]))
        step = env.step([step.observations["legal_actions"][player][0]])
    assert len(rows) == 10 and rows[0].shape == (game.information_state_tensor_size(),)
    # Each adds a move and takes nothing away.
    assert all((later - earlier).min() >= 0 for earlier, later in zip(rows[::2], rows[2::2], strict=False))
