"""How long a batch stays valid: with copy=True for ever, although its memory is used again once nobody holds it."""

import gc
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import anqi


def step(env: anqi.VecGame) -> anqi.Batch:
    return env.step(env.sample_actions())


HOLD: dict[str, Callable[[anqi.Batch], Any]] = {
    "batch": lambda batch: batch,
    "fields": lambda batch: batch.as_dict(),
    "unpacked": lambda batch: list(batch),
    "planes alone": lambda batch: batch.planes,
    "ply alone": lambda batch: batch.ply,
    "rewards alone": lambda batch: batch.rewards,
    "slice": lambda batch: batch.planes[3:5],
    "view of a view": lambda batch: batch.mask[:, ::2][1:].T,
    "reshaped": lambda batch: batch.planes.reshape(len(batch.planes), -1),
    "other type": lambda batch: batch.mask.view(np.bool_),
    "memoryview": lambda batch: memoryview(batch.terminated.data),
    "dlpack": lambda batch: np.from_dlpack(batch.scalars),
    "iterator": lambda batch: next(iter(batch)),
    "bound method": lambda batch: batch.seat.copy,
    "array interface": lambda batch: np.asarray(
        type("Holder", (), {"__array_interface__": batch.planes.__array_interface__, "of": batch})()
    ),
}


def content(held: Any) -> bytes:
    """What a held object shows."""
    if isinstance(held, anqi.Batch):
        return b"".join(array.tobytes() for array in held)
    if isinstance(held, dict):
        return b"".join(array.tobytes() for array in held.values())
    if isinstance(held, list):
        return b"".join(array.tobytes() for array in held)
    if callable(held):
        return bytes(held().tobytes())
    return bytes(held.tobytes())


@pytest.mark.parametrize("hold", HOLD.values(), ids=HOLD)
def test_what_is_held_never_changes(hold: Callable[[anqi.Batch], Any]) -> None:
    env = anqi.VecGame(num_envs=8, seed=1, threads=1)
    held = []
    for i in range(200):
        # Some are let go at once, so that memory is used again in between.
        item = hold(step(env))
        if i % 3 == 0:
            held.append((item, content(item)))
        if i % 40 == 39:
            del held[::2]
            gc.collect()
    for item, before in held:
        assert content(item) == before


def test_memory_is_used_again() -> None:
    env = anqi.VecGame(num_envs=8, threads=1)
    addresses = {step(env).planes.ctypes.data for _ in range(50)}
    assert len(addresses) == 1
    addresses = set()
    for _ in range(50):
        batch = step(env)
        addresses.add(batch.planes.ctypes.data)
    assert len(addresses) == 2
    held = [step(env) for _ in range(100)]
    assert len({batch.planes.ctypes.data for batch in held}) == 100


def test_what_is_let_go_may_be_in_any_state() -> None:
    env, twin = (anqi.VecGame(num_envs=8, threads=1) for _ in range(2))
    for i in range(40):
        batch = step(env)
        assert all(np.array_equal(a, b) for a, b in zip(batch, step(twin), strict=True))
        assert batch.planes.flags.writeable and batch.planes.shape == (8, 20, 4, 8)
        for array in batch:
            if i % 3 == 0:
                array.flags.writeable = False
            elif i % 3 == 1:
                array.shape = (array.size,)
            else:
                array.fill(1)


def test_without_copies_the_arrays_stay_the_same() -> None:
    env, twin = (anqi.VecGame(num_envs=8, seed=2, threads=1, copy=copy) for copy in (False, True))
    first = env.reset()
    arrays = list(first)
    for _ in range(20):
        actions = env.sample_actions()
        batch = env.step(actions)
        assert batch is first and all(a is b for a, b in zip(batch, arrays, strict=True))
        assert all(np.array_equal(a, b) for a, b in zip(batch, twin.step(actions), strict=True))


def test_a_failed_step_leaves_what_was_given_out() -> None:
    env = anqi.VecGame(num_envs=8, threads=1)
    batch = step(env)
    before = content(batch)
    with pytest.raises(anqi.IllegalActionError):
        env.step(np.full(8, 352))
    assert content(batch) == before


def test_batches_outlive_their_games_and_travel() -> None:
    env = anqi.VecGame(num_envs=8, threads=2)
    batch = step(env)
    before = content(batch)
    del env
    gc.collect()
    assert content(batch) == before
    assert content(pickle.loads(pickle.dumps(batch))) == before
