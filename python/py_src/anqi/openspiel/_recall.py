"""What a player of Junqi has seen from the start on, as a tensor.

The source is the player's record, which is its information state as text: every token of it becomes a row. Whatever a
record tells is in the tensor, and nothing else, so two tensors of a player differ exactly where its records do.
"""

import re
from typing import Any

import numpy as np

import anqi

KINDS = "FLB098765432"
UNSEEN = len(KINDS)
FIGHTS = ("won", "lost", "both")
OUTS = ("flag", "no-moves")
# Where flags stand: the headquarters in the back row of a seat.
HEADQUARTERS = ("62", "64")
PIECES = 25
SIGNAL = "signal:"

PLY = re.compile(r"(?P<start>\w+)-(?P<end>\w+)(?:\((?P<outcome>.*)\))?")


class Recall:
    """The tensor of an information state.

    Args:
        game: A game of the rules, before the first piece is placed.
        plies: After how many moves the rules end the game.
    """

    def __init__(self, game: anqi.Game, plies: int) -> None:
        names = [game.action_name(action) for action in range(game.num_actions)]
        ends = [match for match in map(PLY.fullmatch, names) if match]
        self.stations = sorted({match[end] for match in ends for end in ("start", "end")})
        self.signals = [name for name in names if name.startswith(SIGNAL)]
        self.seats, self.letters = game.num_seats, {2: "SN", 4: "SENW"}[game.num_seats]
        # In the order of a row: where a move begins and ends, then what came of it.
        self.parts = [
            *(f"from {name}" for name in self.stations),
            *(f"to {name}" for name in self.stations),
            *FIGHTS,
            *(f"flag:{seat}{place}" for seat in self.letters for place in HEADQUARTERS),
            *(f"out:{seat}:{why}" for seat in self.letters for why in OUTS),
            *(f"attacker {kind}" for kind in KINDS),
            *(f"defender {kind}" for kind in KINDS),
            *self.signals,
        ]
        self._column = {part: column for column, part in enumerate(self.parts)}
        blocks = {
            "player": (self.seats,),
            "setup": (PIECES * self.seats, UNSEEN + 1),
            "plies": (plies, len(self.parts)),
            # Whether the game is over, then what each seat got.
            "end": (1 + self.seats,),
        }
        sizes = [int(np.prod(shape)) for shape in blocks.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        starts = np.cumsum([0, *sizes])
        self.dict = {
            name: self.tensor[start : start + size].reshape(shape)
            for (name, shape), start, size in zip(blocks.items(), starts, sizes, strict=False)
        }

    def write(self, board: anqi.Game, player: int) -> None:
        """Writes what `player` has seen."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        placed, ply = 0, 0
        for token in tokens(board.record(player)):
            if token.startswith("="):
                self.dict["setup"][placed, UNSEEN if token == "=?" else KINDS.index(token[1:])] = 1
                placed += 1
            elif token.startswith(SIGNAL):
                # It belongs to the ply before which it is given.
                self.dict["plies"][ply, self._column[token]] = 1
            else:
                for part in told(token):
                    self.dict["plies"][ply, self._column[part]] = 1
                ply += 1
        if board.is_over:
            self.dict["end"][:] = [1, *board.returns()]


def tokens(record: str) -> list[str]:
    """The plies, placements and signals of a record in their order."""
    lines = record.split("\n\n", 1)[1].splitlines()[:-1]  # the last line is the result
    return [token for line in lines for token in line.split()[1:]]


def told(token: str) -> list[str]:
    """What a ply such as `S15-E11(both+flag:S62+ranks:00)` tells, as parts of a row."""
    match = PLY.fullmatch(token)
    if match is None:
        raise ValueError(f"'{token}': no ply of a game that OpenSpiel played")
    found = [f"from {match['start']}", f"to {match['end']}"]
    for part in (match["outcome"] or "").split("+"):
        name, _, value = part.partition(":")
        if name == "ranks":
            found += [f"attacker {value[0]}", f"defender {value[1]}"]
        elif part:
            found.append(part)
    return found


def length(params: dict[str, Any]) -> int | None:
    """After how many moves the rules end a game, where they do."""
    plies = int(params.get("ply_limit", 0))
    return plies if plies > 0 else None
