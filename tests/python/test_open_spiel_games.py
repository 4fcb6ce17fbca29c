"""anqi's games inside OpenSpiel."""

import pytest

import anqi

pyspiel = pytest.importorskip("pyspiel")

import numpy as np  # noqa: E402
from open_spiel.python.algorithms import mcts  # noqa: E402

import anqi.openspiel  # noqa: E402

anqi.openspiel.register()

GAMES = [
    "anqi_darkchess",
    "anqi_darkchess(profile=mini)",
    "anqi_darkchess(profile=gametower-open-chain)",
    "anqi_tombchess",
]


@pytest.mark.parametrize("name", GAMES)
def test_random_simulation(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), 2, False, False)


def test_registered_once() -> None:
    names = ["anqi_darkchess", "anqi_tombchess", "anqi_siguo", "anqi_duel", "anqi_luzhanqi"]
    assert anqi.openspiel.register() == names
    assert set(names) <= set(pyspiel.registered_names())


@pytest.mark.parametrize(
    ("parameters", "rules"),
    [
        ("", "darkchess:taiwan"),
        ("profile=mini", "darkchess:mini"),
        ("profile=mini,quiet_limit=20", "darkchess:mini,quiet_limit=20"),
        ("chariot_rush=True,repetition=none", "darkchess:taiwan,chariot_rush=true,repetition=none"),
        ("chase_limit=0,quiet_limit=30", "darkchess:taiwan,chase_limit=0,quiet_limit=30"),
    ],
)
def test_parameters_are_the_options(parameters: str, rules: str) -> None:
    game = pyspiel.load_game(f"anqi_darkchess({parameters})")
    expected = anqi.Game(rules, seed=1)
    assert game.start.rules_hash == expected.rules_hash
    # Its own name loads the same rules.
    assert pyspiel.load_game(str(game)).start.rules_hash == expected.rules_hash


def test_plays_as_the_game_itself() -> None:
    game = pyspiel.load_game("anqi_darkchess(profile=mini)")
    rng, results = np.random.RandomState(1), set()
    for seed in range(30):
        state, ours = game.new_initial_state(), anqi.Game("darkchess:mini", seed=seed)
        while not state.is_terminal():
            assert state.legal_actions() == ours.legal_actions().tolist()
            assert state.current_player() == ours.to_move
            action, outcome = int(rng.choice(state.legal_actions())), None
            name = ours.action_name(action)
            assert state.action_to_string(action) == name
            state.apply_action(action)
            if state.is_chance_node():
                assert str(state).endswith(f"+ {name}")
                chances = state.chance_outcomes()
                shown = {state.action_to_string(o).removeprefix("shows "): p for o, p in chances}
                assert shown == pytest.approx(dict(ours.chance_outcomes(action)))
                drawn = int(rng.choice([o for o, _ in chances], p=[p for _, p in chances]))
                outcome = state.action_to_string(drawn).removeprefix("shows ")
                state.apply_action(drawn)
            ours.step_with(action, outcome)
            assert state.board.position() == ours.position()
        assert ours.is_over and state.returns() == ours.returns().tolist()
        results.add(state.returns()[0])
    assert len(results) > 1


def test_its_search_plays_ours() -> None:
    game = pyspiel.load_game("anqi_darkchess(profile=mini)")
    rng = np.random.RandomState(1)
    # Red's cannon may take the general over the soldier, or the soldier itself: one ply wins.
    state = game.new_initial_state()
    start = anqi.Game.from_position("darkchess:mini", "CPk1/4 0 r - 0 9")
    state.board = start
    bot = mcts.MCTSBot(game, 1.4, 100, mcts.RandomRolloutEvaluator(1, rng), random_state=rng, solve=True)
    assert state.action_to_string(bot.step(state)) in ("a1-a3", "a2-a3")


def test_observations() -> None:
    game = pyspiel.load_game("anqi_darkchess(profile=mini)")
    observer = game.make_py_observer()
    state = game.new_initial_state()
    observer.set_from(state, 0)
    seen = anqi.Game("darkchess:mini").observation(0)
    assert np.array_equal(observer.dict["planes"], seen["planes"])
    assert np.array_equal(observer.dict["scalars"], seen["scalars"])
    assert observer.string_from(state, 0) == str(state)
