"""OpenSpiel: the games for its algorithms, with everything that chance decides as explicit chance nodes.

`register()` makes them loadable::

    import anqi.openspiel
    import pyspiel

    anqi.openspiel.register()
    game = pyspiel.load_game("anqi_darkchess(profile=mini,quiet_limit=20)")

`profile` and every option of the game are parameters; one that is left out, or false, is as the profile says. The
numbers of actions are anqi's own. In dark chess and Tomb Chess what a flip shows is chance, and all information is
perfect. In Junqi the set-up is chance, or the players' choice with setup=play, and information is imperfect: a player's
information state is its record of the game; with ply_limit it is a tensor, too.
"""

from typing import Any

import anqi
from anqi import _missing
from anqi._tables import OPEN_SPIEL

try:
    import pyspiel
except ModuleNotFoundError as fault:
    raise _missing.package(fault, "pyspiel", "openspiel") from fault

from anqi.openspiel._hidden import HiddenGame
from anqi.openspiel._open import OpenGame
from anqi.openspiel._rules import parameters

__all__ = ["register"]


def register() -> list[str]:
    """Registers the games with OpenSpiel, once, and returns their names."""
    known = set(pyspiel.registered_names())
    for short_name, family in OPEN_SPIEL.items():
        if short_name not in known:
            _register(short_name, family)
    return list(OPEN_SPIEL)


def _register(short_name: str, family: str) -> None:
    seats, known = anqi.Game(family, seed=0).num_seats, parameters(family)
    rules: Any = HiddenGame if "setup" in known else OpenGame
    kind = pyspiel.GameType(
        short_name=short_name,
        long_name=f"anqi {family}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=rules.information,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats,
        min_num_players=seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=known,
    )

    class Made(rules):  # type: ignore[misc]
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(kind, family, params or {})

    pyspiel.register_game(kind, Made)
