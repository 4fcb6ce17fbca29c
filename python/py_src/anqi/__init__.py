"""Board games with hidden pieces (暗棋): one game, or thousands at once, with NumPy arrays in and out.

One game, played by an agent::

    import anqi

    game = anqi.Game("darkchess:taiwan", seed=7)
    agent = anqi.Agent("greedy")
    while not game.is_over:
        game.step(agent.act(game))
    print(game, game.returns())

Thousands of games, each row seen by the seat to move; a game that ends starts anew in the same step::

    env = anqi.VecGame("darkchess", num_envs=4096, seed=1)
    batch = env.reset()
    for _ in range(100):
        batch = env.step(env.sample_actions())

`anqi.games()` lists the games with their profiles and options, `anqi.arena` plays matches of two agents, and
`anqi.train` trains a network by self-play. Other libraries meet the games in `anqi.gymnasium`, `anqi.pettingzoo`,
`anqi.sb3` and `anqi.openspiel`; `anqi.torch` reads and writes checkpoints, and `anqi.export_onnx` writes networks for
other programs.
"""

from anqi._arena import Adjusted, ArenaResult, arena
from anqi._export import export_onnx
from anqi._games import GameInfo, Option, Profile, games
from anqi._native import Agent, Batch, Game, IllegalActionError, VecGame, __version__
from anqi._tables import register_when_imported
from anqi._train import train

register_when_imported()

__all__ = [
    "Adjusted",
    "Agent",
    "ArenaResult",
    "Batch",
    "Game",
    "GameInfo",
    "IllegalActionError",
    "Option",
    "Profile",
    "VecGame",
    "__version__",
    "arena",
    "export_onnx",
    "games",
    "train",
]
