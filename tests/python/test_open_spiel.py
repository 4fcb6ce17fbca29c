"""Dark chess against OpenSpiel's banqi, a second implementation that knows nothing of this one.

The rules agree under `quiet_limit=50,repetition=none` except in two places, and the test allows just these:

- Here a side whose last piece is captured has lost at once. OpenSpiel lets it turn up the other side's pieces until
  none is face down, and only then finds that it has no move. It can do nothing else, so the loss is the same.
- When the limit is reached by a ply that also leaves the next seat without a move, that is a loss here and a draw in
  OpenSpiel, whose CheckTerminal looks at the limit first. Random play hardly ever meets it.
"""

import random
from typing import Any

import pytest

import anqi

pyspiel = pytest.importorskip("pyspiel")

GAMES = 2000
# General, advisor, elephant, rook, horse, cannon, soldier: red capitals first, as OpenSpiel numbers them.
LETTERS = dict(zip("GAERHCSgaerhcs", "KGMRNCPkgmrncp", strict=True))


def square(number: int) -> str:
    return f"{'abcd'[number // 8]}{number % 8 + 1}"


def action_table(game: anqi.Game) -> dict[int, int]:
    """Our number of each of theirs: 0-31 flips, then 32 + 32 * from + to."""
    table = {number: game.action_id(square(number)) for number in range(32)}
    for start in range(32):
        for end in range(32):
            if start != end and (start // 8 == end // 8 or start % 8 == end % 8):
                table[32 + 32 * start + end] = game.action_id(f"{square(start)}-{square(end)}")
    return table


def board(state: Any) -> str:
    """Their board in our letters."""
    lines = str(state).splitlines()[:4]
    return "/".join("".join({".": " ", "?": "X"}.get(cell) or LETTERS[cell] for cell in line.split()) for line in lines)


def our_board(game: anqi.Game) -> str:
    rows = game.position().split()[0]
    return "".join(" " * int(cell) if cell.isdigit() else cell for cell in rows)


def test_same_legal_actions_and_returns() -> None:
    banqi = pyspiel.load_game("banqi", {"max_no_progress": 50})
    start = anqi.Game("darkchess:taiwan", seed=1, quiet_limit=50, repetition="none")
    theirs_to_ours = action_table(start)
    rng = random.Random(1)
    plies = wins = draws = eliminated_early = lost_at_the_limit = 0
    for _ in range(GAMES):
        state, game = banqi.new_initial_state(), start.copy()
        captures = rng.random()
        while not game.is_over:
            assert not state.is_terminal(), game
            assert state.current_player() == game.to_move
            theirs = state.legal_actions()
            assert sorted(theirs_to_ours[action] for action in theirs) == game.legal_actions().tolist(), game
            # Random play alone often ends in a draw: part of the games prefers captures.
            taking = [action for action in theirs if action >= 32 and "x" in state.action_to_string(action)]
            action = rng.choice(taking if taking and rng.random() < captures else theirs)
            state.apply_action(action)
            outcome = None
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                ours = dict(game.chance_outcomes(theirs_to_ours[action]))
                assert {LETTERS[state.action_to_string(o)[-1]]: p for o, p in outcomes} == pytest.approx(ours)
                drawn = rng.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]
                outcome = LETTERS[state.action_to_string(drawn)[-1]]
                state.apply_action(drawn)
            game.step_with(theirs_to_ours[action], outcome)
            plies += 1
        returns = game.returns().tolist()
        if not state.is_terminal():
            assert "(eliminated)" in str(game) and "X" in our_board(game), game
            eliminated_early += 1
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        elif returns != state.returns():
            assert game.position().split()[4] == "50" and "(no-moves)" in str(game) and state.returns() == [0.0, 0.0], (
                game
            )
            lost_at_the_limit += 1
            continue
        else:
            assert our_board(game) == board(state)
        assert returns == state.returns(), game
        wins += returns[0] != 0
        draws += returns[0] == 0
    print(
        f"{GAMES} games, {plies} plies, {wins} won, {draws} drawn, {eliminated_early} won with pieces still face down"
    )
    print(f"{lost_at_the_limit} lost at the limit")
    assert min(wins, draws) > GAMES // 10
