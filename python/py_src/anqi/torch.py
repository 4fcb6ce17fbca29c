"""PyTorch: networks of dark chess and Tomb Chess, as checkpoints that `anqi.Agent`, `anqi eval` and `anqi arena` read.

A checkpoint written here plays like any other: `anqi.Agent("net:FOLDER")`.
"""

import json
import platform
from os import PathLike
from pathlib import Path
from typing import Any

from anqi import _missing
from anqi._native import Game, __version__

try:
    import safetensors.torch
    import torch
    from torch import Tensor, nn
except ModuleNotFoundError as fault:
    raise _missing.package(fault, (fault.name or "").split(".")[0], "torch") from fault

__all__ = ["Graph", "Mlp", "load", "save"]


# Layers that a checkpoint calls by names which mean something else in Python and PyTorch.
NAMES = {"start": "from", "end": "to"}


class Mlp(nn.Module):  # type: ignore[misc]
    """Fully connected layers with shortcuts, and two heads: `net.arch = "mlp"`.

    Args:
        planes: Values in the planes of a position, C * H * W.
        scalars: Numbers beside the planes, K.
        actions: Actions, A.
        width: Units of a layer.
        depth: Layers.
    """

    arch = "mlp"

    def __init__(self, planes: int, scalars: int, actions: int, width: int = 128, depth: int = 2) -> None:
        super().__init__()
        self.width, self.depth = width, depth
        self.input = nn.Linear(planes + scalars, width)
        self.hidden = nn.ModuleList(nn.Linear(width, width) for _ in range(depth - 1))
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 3)
        with torch.no_grad():
            # About one plane is set in each cell, so far fewer inputs are at work than there are; and nearly uniform
            # at first: no opening is preferred before anything is learned.
            self.policy.weight.mul_(0.01)
            self.value.weight.mul_(0.1)
            for head in (self.policy, self.value):
                head.bias.zero_()

    @classmethod
    def of(cls, game: Game, width: int = 128, depth: int = 2) -> "Mlp":
        """A fresh network of a game's sizes.

        Raises:
            ValueError: Junqi, whose networks number actions as the seat looks at the board; `anqi.train` makes them.
        """
        _check(game.name, game.plane_unit)
        channels, rows, columns = game.planes_shape
        return cls(channels * rows * columns, game.num_scalars, game.num_actions, width, depth)

    def forward(self, planes: Tensor, scalars: Tensor) -> tuple[Tensor, Tensor]:
        """Both heads, unnormalised: actions [B, A], and win, draw, loss for the seat to move [B, 3].

        `planes` is [B, C, H, W] of any type, `scalars` [B, K].
        """
        h = torch.relu(self.input(torch.cat([planes.flatten(1).float(), scalars], 1)))  # [B, width]
        for layer in self.hidden:
            h = torch.relu(layer(h) + h)  # [B, width]
        return self.policy(h), self.value(h)


class Graph(nn.Module):  # type: ignore[misc]
    """The default network, `net.arch = "graph"`: a vector a square, messages to neighbours and along rows and columns.

    Args:
        game: Any game of the rules it is for, of the dark chess family.
        width: Numbers of a square, a multiple of 32.
        depth: Rounds of messages.

    Raises:
        ValueError: Junqi, whose networks number actions as the seat looks at the board; `anqi.train` makes them. A
            width that is no multiple of 32.
    """

    arch = "graph"

    def __init__(self, game: Game, width: int = 32, depth: int = 3) -> None:
        super().__init__()
        _check(game.name, game.plane_unit)
        if width < 32 or width % 32:
            raise ValueError(f"width = {width}: expected a multiple of 32")
        self.width, self.depth = width, depth
        features, _, columns = game.planes_shape
        squares = game.planes_shape[1] * columns
        near, along, moves = _lines(game, squares, columns)
        others = game.num_actions - len(moves)
        for name, pairs in (("near", near), ("along", along), ("moves", moves)):
            # Where each line or move goes from and to, in [S, S] laid out flat.
            at = torch.tensor([first * squares + second for first, second in pairs])
            self.register_buffer(f"{name}_at", at, persistent=False)

        def linear(inputs: int, outputs: int, spread: float) -> nn.Linear:
            layer = nn.Linear(inputs, outputs)
            nn.init.normal_(layer.weight, std=spread)
            nn.init.zeros_(layer.bias)
            return layer

        self.input = linear(features, width, 0.6)
        self.scalars = linear(game.num_scalars, width, game.num_scalars**-0.5)
        self.place = nn.Parameter(torch.empty(squares, width).uniform_(-0.3, 0.3))
        self.rounds = nn.ModuleList()
        for _ in range(depth):
            added = nn.Module()
            added.tell = linear(width, width, (2 / width) ** 0.5)
            added.near = nn.Parameter(_listening(near, squares))
            added.along = nn.Parameter(_listening(along, squares))
            added.receive = linear(width, width, (2 / depth / width) ** 0.5)
            added.whole = linear(width, width, (1 / depth / width) ** 0.5)
            self.rounds.append(added)
        # Nearly uniform at first: no opening is preferred before anything is learned.
        self.start = linear(width, width, (0.1 / width) ** 0.5)
        self.end = linear(width, width, (0.1 / width) ** 0.5)
        self.habit = nn.Parameter(torch.zeros(1, len(moves)))
        if others:
            self.others = nn.Module()
            self.others.matter = linear(width, 1, width**-0.5)
            self.others.choose = linear(width, others, (0.01 / squares / width) ** 0.5)
        else:
            self.others = None
        self.pooled = linear(width + game.num_scalars, width, (2 / (width + game.num_scalars)) ** 0.5)
        self.value = linear(width, 3, (0.01 / width) ** 0.5)

    @classmethod
    def of(cls, game: Game, width: int = 32, depth: int = 3) -> "Graph":
        """A fresh network of a game's sizes."""
        return cls(game, width, depth)

    def forward(self, planes: Tensor, scalars: Tensor) -> tuple[Tensor, Tensor]:
        """Both heads, unnormalised: actions [B, A], and win, draw, loss for the seat to move [B, 3].

        `planes` is [B, C, H, W] of any type, `scalars` [B, K].
        """
        squares, half = self.place.shape[0], self.width // 2
        seen = planes.flatten(2).float().transpose(1, 2)  # [B, S, C]
        x = torch.relu(self.input(seen) + self.scalars(scalars)[:, None] + self.place)  # [B, S, width]
        for own in self.rounds:
            told = torch.relu(own.tell(x))
            near = self._spread(own.near, self.near_at, squares) @ told[..., :half]
            along = self._spread(own.along, self.along_at, squares) @ told[..., half:]
            heard = own.receive(torch.cat([near, along], 2))
            x = torch.relu(heard + own.whole(x.mean(1))[:, None]) + x
        pairs = self.start(x) @ self.end(x).transpose(1, 2)  # [B, S, S]
        logits = pairs.flatten(1)[:, self.moves_at] + self.habit
        if self.others is not None:
            whole = (x * torch.sigmoid(self.others.matter(x))).sum(1)
            logits = torch.cat([logits, self.others.choose(whole)], 1)
        pooled = torch.relu(self.pooled(torch.cat([x.mean(1), scalars], 1)))
        return logits, self.value(pooled)

    @staticmethod
    def _spread(weights: Tensor, at: Tensor, squares: int) -> Tensor:
        """How strongly each square (row) listens to each other one: [S, S]."""
        return weights.new_zeros(squares * squares).index_put((at,), weights[0]).view(squares, squares)


def _lines(game: Game, squares: int, columns: int) -> tuple[list[tuple[int, int]], ...]:
    """Neighbours, other squares of a row or column, and where moves go from and to; a flip stays on its square."""
    straight = [
        (to, other)
        for to in range(squares)
        for other in range(squares)
        if to != other and (to // columns == other // columns or to % columns == other % columns)
    ]
    near = [pair for pair in straight if abs(pair[0] - pair[1]) in (1, columns)]
    along = [pair for pair in straight if abs(pair[0] - pair[1]) not in (1, columns)]
    number = {f"{'abcdefghijklmnop'[at // columns]}{at % columns + 1}": at for at in range(squares)}
    moves = []
    for action in range(game.num_actions):
        ends = game.action_name(action).split("-")
        if ends[0] in number:
            moves.append((number[ends[0]], number[ends[-1]]))
    return near, along, moves


def _listening(lines: list[tuple[int, int]], squares: int) -> Tensor:
    """Every square listens to those it is joined with alike, and what it hears keeps its size: [1, lines]."""
    count = [0] * squares
    for to, _ in lines:
        count[to] += 1
    return torch.tensor([[count[to] ** -0.5 for to, _ in lines]])


def load(folder: str | PathLike[str]) -> Mlp | Graph:
    """The network of a checkpoint of the architecture "graph" or "mlp"."""
    path = Path(folder)
    if not (path / "card.json").exists() and (path / "checkpoint" / "card.json").exists():
        path = path / "checkpoint"
    card = json.loads((path / "card.json").read_text(encoding="utf-8"))
    net, shape = card["net"], card["shape"]
    _check(card["game"], shape.get("unit", 1))
    made: Mlp | Graph
    match net["arch"]:
        case "mlp":
            planes = shape["channels"] * shape["rows"] * shape["cols"]
            made = Mlp(planes, shape["scalars"], shape["actions"], net["width"], net["depth"])
        case "graph":
            made = Graph(Game(card["game"]), net["width"], net["depth"])
        case other:
            raise ValueError(f"{path}: its network is '{other}'; expected 'graph' or 'mlp'")
    names = {there: here for here, there in NAMES.items()}
    weights = {_renamed(name, names): _turned(name, value) for name, value in _read(path).items()}
    made.load_state_dict(weights)
    return made


def save(
    folder: str | PathLike[str], net: Mlp | Graph, game: Game, *, settings: dict[str, Any] | None = None, **card: Any
) -> None:
    """Writes a checkpoint that plays the rules of `game`.

    Args:
        folder: Where; it must not exist.
        net: The network.
        game: Any game of the rules it was trained for.
        settings: What it was trained with, kept in config.toml.
        **card: What is known of the training: plies, games, updates, seconds, threads, seed.
    """
    path = Path(folder)
    unknown = set(card) - {"plies", "games", "updates", "seconds", "threads", "seed"}
    if unknown:
        raise TypeError(f"card: '{min(unknown)}' is not known; known are plies, games, updates, seconds, threads, seed")
    _check(game.name, game.plane_unit)
    channels, rows, columns = game.planes_shape
    whole: dict[str, Any] = {
        "anqi": __version__,
        "revision": None,
        "game": game.name,
        "rules_hash": game.rules_hash,
        "encoding": game.encoding,
        "shape": {
            "channels": channels,
            "rows": rows,
            "cols": columns,
            "scalars": game.num_scalars,
            "actions": game.num_actions,
        },
        "net": {"arch": net.arch, "width": net.width, "depth": net.depth},
        "parameters": sum(weight.numel() for weight in net.parameters()),
        "plies": 0,
        "games": 0,
        "updates": 0,
        "seconds": 0.0,
        "hardware": platform.machine(),
        "threads": 1,
        "seed": 0,
        "ladder": [],
    }
    whole.update(card)
    path.mkdir(parents=True)
    weights = {_renamed(name, NAMES): _turned(name, value.detach().cpu()) for name, value in net.state_dict().items()}
    safetensors.torch.save_file(weights, path / "model.safetensors")
    values = {"game": game.name, **(settings or {})}
    toml = "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in values.items())
    (path / "config.toml").write_text(toml, encoding="utf-8")
    about = f"# {game.name}\n\nA network trained with PyTorch and anqi {__version__}. Load it as `net:{path.name}`.\n"
    (path / "README.md").write_text(about, encoding="utf-8")
    # Last: a folder without it is no checkpoint.
    (path / "card.json").write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")


def _check(game: str, unit: int) -> None:
    """Junqi's networks see bytes as shares of 255, and number actions as the seat looks at the board."""
    if unit != 1:
        raise ValueError(f"{game}: not a game for this network; anqi.train makes networks for Junqi")


def _renamed(name: str, names: dict[str, str]) -> str:
    first, *rest = name.split(".")
    return ".".join([names.get(first, first), *rest])


def _read(path: Path) -> dict[str, Tensor]:
    weights: dict[str, Tensor] = safetensors.torch.load_file(path / "model.safetensors")
    return weights


def _turned(name: str, value: Tensor) -> Tensor:
    """A layer's weight is [in, out] in a checkpoint and [out, in] in PyTorch."""
    return value.T.contiguous() if name.endswith("weight") else value.contiguous()
