"""PyTorch: the default network, and checkpoints that `anqi.Agent`, `anqi eval` and `anqi arena` read.

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

__all__ = ["Mlp", "load", "save"]


class Mlp(nn.Module):  # type: ignore[misc]
    """The default network: fully connected layers with shortcuts, and two heads.

    Args:
        planes: Values in the planes of a position, C * H * W.
        scalars: Numbers beside the planes, K.
        actions: Actions, A.
        width: Units of a layer.
        depth: Layers.
    """

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


def load(folder: str | PathLike[str]) -> Mlp:
    """The network of a checkpoint of the architecture "mlp"."""
    path = Path(folder)
    if not (path / "card.json").exists() and (path / "checkpoint" / "card.json").exists():
        path = path / "checkpoint"
    card = json.loads((path / "card.json").read_text(encoding="utf-8"))
    net, shape = card["net"], card["shape"]
    if net["arch"] != "mlp":
        raise ValueError(f"{path}: its network is '{net['arch']}'; only 'mlp' is known here")
    _check(card["game"], shape.get("unit", 1))
    planes = shape["channels"] * shape["rows"] * shape["cols"]
    mlp = Mlp(planes, shape["scalars"], shape["actions"], net["width"], net["depth"])
    mlp.load_state_dict({name: _turned(name, value) for name, value in _read(path).items()})
    return mlp


def save(
    folder: str | PathLike[str], net: Mlp, game: Game, *, settings: dict[str, Any] | None = None, **card: Any
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
        "net": {"arch": "mlp", "width": net.width, "depth": net.depth},
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
    weights = {name: _turned(name, value.detach().cpu()) for name, value in net.state_dict().items()}
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


def _read(path: Path) -> dict[str, Tensor]:
    weights: dict[str, Tensor] = safetensors.torch.load_file(path / "model.safetensors")
    return weights


def _turned(name: str, value: Tensor) -> Tensor:
    """A layer's weight is [in, out] in a checkpoint and [out, in] in PyTorch."""
    return value.T.contiguous() if name.endswith("weight") else value.contiguous()
