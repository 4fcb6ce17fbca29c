"""Which games stand under which names in other libraries: one line a game."""

import sys
from collections.abc import Callable
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

GYMNASIUM: dict[str, str] = {
    "anqi/DarkChess-v0": "darkchess",
    "anqi/TombChess-v0": "tombchess",
    "anqi/Siguo-v0": "siguo",
    "anqi/Duel-v0": "duel",
    "anqi/Luzhanqi-v0": "luzhanqi",
}

PETTINGZOO: dict[str, str] = {
    "anqi/darkchess-v0": "darkchess",
    "anqi/tombchess-v0": "tombchess",
    "anqi/siguo-v0": "siguo",
    "anqi/duel-v0": "duel",
    "anqi/luzhanqi-v0": "luzhanqi",
}

OPEN_SPIEL: dict[str, str] = {
    "anqi_darkchess": "darkchess",
    "anqi_tombchess": "tombchess",
    "anqi_siguo": "siguo",
    "anqi_duel": "duel",
    "anqi_luzhanqi": "luzhanqi",
}


def _register_gymnasium(module: Any) -> None:
    for name, game in GYMNASIUM.items():
        if name not in module.registry:
            module.register(
                id=name,
                entry_point="anqi.gymnasium:GameEnv",
                vector_entry_point="anqi.gymnasium:GameVectorEnv",
                kwargs={"game": game},
            )


def _register_pettingzoo(module: Any) -> None:
    for name, game in PETTINGZOO.items():
        if name not in module.aec_registry:
            module.register("aec", name, entry_point="anqi.pettingzoo:env", kwargs={"game": game})


_WHERE: dict[str, Callable[[Any], None]] = {
    "gymnasium.envs.registration": _register_gymnasium,
    "pettingzoo.env_registry.registration": _register_pettingzoo,
}


class _Registering(Loader):
    """Loads a module as its own loader would, then enters our games."""

    def __init__(self, loader: Any, name: str) -> None:
        self._loader, self._name = loader, name

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        made: ModuleType | None = self._loader.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        # What asks the module for its loader later, such as importlib.resources, finds the real one.
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        _WHERE[self._name](module)


class _Watch(MetaPathFinder):
    """Sees the registries of other libraries come in, whenever that is."""

    def find_spec(self, fullname: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname not in _WHERE:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(fullname, path, target)
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Registering(spec.loader, fullname)
                return spec
        return None


def register_when_imported() -> None:
    """Enters our games in the registries that are there, and in the others as soon as they are imported.

    So `import anqi` is enough in any order, and neither library is imported by it.
    """
    for name, register in _WHERE.items():
        module = sys.modules.get(name)
        if module is not None:
            register(module)
    if not any(isinstance(finder, _Watch) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Watch())
