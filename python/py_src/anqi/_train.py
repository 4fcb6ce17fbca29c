"""Training by self-play."""

import json
from collections.abc import Callable, Iterator, Mapping
from os import PathLike
from typing import Any

from anqi import _native


def train(
    game: str | None = None,
    preset: str | None = None,
    out: str | PathLike[str] | None = None,
    callback: Callable[[dict[str, float]], object] | None = None,
    *,
    config: str | PathLike[str] | None = None,
    resume: str | PathLike[str] | None = None,
    minutes: float | None = None,
    plies: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    **overrides: Any,
) -> str:
    """Trains a network by self-play and returns the checkpoint's folder, for `anqi.Agent("net:FOLDER")`.

    Ctrl-C ends the run with a saved checkpoint and raises KeyboardInterrupt. With a limit in plies and none in
    minutes, the same seed gives the same network on any number of threads. docs/training.md tells the settings.

    Args:
        game: The game with profile and options; None takes the preset's.
        preset: Settings that come with anqi: "quick" (the default), "strong", "mini", "junqi" (its games' default).
        out: Folder for checkpoint, metrics.jsonl and TensorBoard events; None takes a new one in runs/.
        callback: Is given the figures of each update, and of each measurement, under the names that metrics.jsonl
            has. A true answer ends the run early, with a checkpoint.
        config: A TOML file of settings, in place of a preset.
        resume: A run's folder, to go on from its last checkpoint with its settings; other arguments change them.
        minutes: Minutes of training.
        plies: Plies of self-play.
        seed: Seed of everything.
        threads: Threads; None takes one a core.
        **overrides: Other settings by name, sections as dicts: net={"width": 64}, eval={"final_pairs": 50}.
    """
    if resume is not None and not (game is None and preset is None and config is None and out is None):
        raise ValueError(
            "resume: a run goes on with its own game, settings and folder; leave out game, preset, config and out"
        )
    if preset is not None and config is not None:
        raise ValueError("preset and config: give one or the other")
    sets = [f"{key}={value}" for key, value in _settings("", overrides)]
    heard = None if callback is None else (lambda row: callback(json.loads(row)))
    made = _native._train(game, preset, config, out, resume, minutes, plies, seed, threads, sets, heard)
    return str(made)


def _settings(prefix: str, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _settings(f"{prefix}{key}.", value)
        else:
            yield f"{prefix}{key}", _toml(f"{prefix}{key}", value)


def _toml(key: str, value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_toml(key, item) for item in value)}]"
    if isinstance(value, (bool, int, float, str)):
        # JSON's scalars are TOML's as well.
        return json.dumps(value, ensure_ascii=False)
    raise TypeError(f"{key}: expected a number, a string, a truth value, a list or a dict, not {type(value).__name__}")
