"""What must hold of every file: an answer or one sentence, soon, and nothing else."""

import random
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from fuzz import seeds
from fuzz.mutations import mutated
from hitmiss import LOFE, datasets, persistence
from hitmiss.io import read_columns, read_table

CORPUS = Path(__file__).parent / "corpus"
SLOW = 10.0  # seconds for one small file, on a machine that does other things as well

Target = Callable[[Path], None]


def corpus(name: str) -> list[bytes]:
    """The files of a target in which something was found; what follows the first dot names it."""
    paths = sorted(CORPUS.iterdir())
    return [path.read_bytes() for path in paths if path.name.partition(".")[2] == name]


def table_target(suffix: str, folder: Path) -> tuple[list[bytes], Target]:
    """A right file, and what reads one."""
    path = folder / f"seed.{suffix}"
    seeds.TABLES[suffix](path)

    def read(path: Path) -> None:
        target = None if suffix in ("mat", "tenx.h5") else "kind"
        table = read_table(path, target)
        read_columns(path)
        assert table.X.shape == (len(table.sample_names), len(table.feature_names))

    return [path.read_bytes()], read


def parts_target(suffix: str, folder: Path) -> tuple[list[bytes], Target]:
    """One of the files of a table that is several, and what reads all."""
    write, first, others = seeds.PARTS[suffix]
    write(folder / first)
    (changed,) = {p.name for p in folder.iterdir()} - set(others)

    def read(path: Path) -> None:
        shutil.copy(path, folder / changed)
        table = read_table(folder / first)
        assert table.X.shape == (len(table.sample_names), len(table.feature_names))
        read_columns(folder / first)

    return [(folder / changed).read_bytes()], read


def model_target(suffix: str, folder: Path) -> tuple[list[bytes], Target]:
    """Saved models, hostile ones among them, and what loads and uses one."""
    paths = seeds.write_models(folder)
    found = [path.read_bytes() for path in paths]
    found += [content for path in paths for content in seeds.hostile_models(path)]
    X, y = datasets.make_xor(8, n_irrelevant=2, random_state=1, return_X_y=True)

    def use(path: Path) -> None:
        model = persistence.load(path)
        model.get_support()
        if hasattr(model, "predict_proba"):
            assert np.isfinite(model.predict_proba(X)).all(), "probabilities that are no numbers"
        if hasattr(model, "partial_fit"):
            model.partial_fit(X, y)
            assert np.isfinite(model.weights_).all(), "weights that are no numbers"

    return found, use


def checkpoint_target(suffix: str, folder: Path) -> tuple[list[bytes], Target]:
    """Steps of a checkpoint, and a fit that goes on from one of them."""
    X, y = datasets.make_spiral(40, n_irrelevant=200, random_state=0, return_X_y=True)
    whole, k = folder / "whole", random.Random(0)
    expected = LOFE(alpha=0.3, n_jobs=1, checkpoint=whole).fit(X, y).weights_
    steps = sorted(whole.iterdir())

    def resume(path: Path) -> None:
        part = folder / "part"
        shutil.rmtree(part, ignore_errors=True)
        shutil.copytree(whole, part)
        shutil.copy(path, part / k.choice(steps).name)
        found = LOFE(alpha=0.3, n_jobs=1, checkpoint=part).fit(X, y).weights_
        assert np.array_equal(found, expected), "other weights than without the change"

    return [step.read_bytes() for step in steps], resume


TARGETS = {
    **dict.fromkeys(seeds.TABLES, table_target),
    **dict.fromkeys(seeds.PARTS, parts_target),
    "model": model_target,
    "checkpoint": checkpoint_target,
}


def findings(
    name: str, seconds: float, seed: int = 0, keep: Path | None = None, least: int = 0
) -> Iterator[str | int]:
    """One sentence for every file that is handled wrongly, and at the end the number tried.

    Parameters
    ----------
    name : str
        A key of `TARGETS`.
    seconds : float
        How long to try; every file of the corpus is tried in any case.
    seed : int
        Of the mutations.
    keep : Path, optional
        Folder for the file that is being tried: what is left there killed the process.
    least : int
        Number of files to try, even if that takes longer.
    """
    rng, n_tried = random.Random(f"{name} {seed}"), 0
    suffix = {"model": "npz", "checkpoint": "step"}.get(name, name)
    with tempfile.TemporaryDirectory() as temporary, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = Path(temporary, "parts")
        parts.mkdir()
        contents, target = TARGETS[name](suffix, parts)
        contents += corpus(name)
        path = Path(keep or temporary, f"tried.{suffix}")
        until = time.monotonic() + seconds
        while n_tried < max(len(contents), least) or time.monotonic() < until:
            whole = n_tried < len(contents)
            content = contents[n_tried] if whole else mutated(rng.choice(contents), rng)
            path.write_bytes(content)
            sentence = _wrong(target, path)
            n_tried += 1
            if sentence:
                yield f"{name}, file {n_tried}: {sentence}"
        path.unlink(missing_ok=True)
    yield n_tried


def _wrong(target: Target, path: Path) -> str:
    """What is wrong with how a file was handled; nothing if it was read or refused."""
    began = time.monotonic()
    try:
        target(path)
    except (ValueError, MemoryError) as error:
        if "\n" in str(error).strip():
            return f"more than one line: {str(error)!r}"
    except Exception as error:  # every other one is what is looked for
        return f"{type(error).__name__}: {error}"
    took = time.monotonic() - began
    return f"took {took:.0f} s" if took > SLOW else ""
