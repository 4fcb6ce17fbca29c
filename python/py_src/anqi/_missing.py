"""What to say when a package that only some need is not installed."""

_SHOWN = {"PIL": "Pillow", "pyspiel": "open-spiel", "stable_baselines3": "stable-baselines3"}


def package(fault: ModuleNotFoundError, name: str, extra: str) -> ModuleNotFoundError:
    """The fault itself, or one that says which extra installs the package `name`."""
    if (fault.name or "").split(".")[0] != name:
        return fault
    return ModuleNotFoundError(f"this needs {_SHOWN.get(name, name)}: pip install 'anqi[{extra}]'", name=fault.name)
