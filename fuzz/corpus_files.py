"""``python -m fuzz.corpus_files``: write the hostile files of the corpus that can be written."""

import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np

from fuzz import seeds

CORPUS = Path(__file__).parent / "corpus"
ELSEWHERE = "/etc/hostname"  # a file that a table has no business with
SHEET = "xl/worksheets/sheet1.xml"


def wrong_dimension(path: Path) -> None:
    """A workbook that says to end after two rows and two columns."""
    seeds.write_xlsx(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert b'ref="A1:E5"' in parts[SHEET]
    parts[SHEET] = parts[SHEET].replace(b'ref="A1:E5"', b'ref="A1:B3"')
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def external_link(path: Path) -> None:
    """Values that are a link to another file."""
    seeds.write_h5(path)
    with h5py.File(path, "a") as file:
        del file["X"]
        file["X"] = h5py.ExternalLink(ELSEWHERE, "/X")


def external_storage(path: Path) -> None:
    """Values that are the bytes of another file."""
    seeds.write_h5(path)
    with h5py.File(path, "a") as file:
        del file["X"]
        where = [(ELSEWHERE, 0, h5py.h5f.UNLIMITED)]
        file.create_dataset("X", seeds.X.shape, np.uint8, external=where)


def virtual_dataset(path: Path) -> None:
    """Values that are put together from another file."""
    layout = h5py.VirtualLayout(seeds.X.shape, float)
    layout[...] = h5py.VirtualSource(ELSEWHERE, "X", seeds.X.shape, float)
    with h5py.File(path, "w", libver="latest") as file:
        file.create_virtual_dataset("X", layout)
        for name, names, columns in (
            ("obs", seeds.SAMPLES, {"kind": seeds.KINDS}),
            ("var", seeds.NAMES, {}),
        ):
            group = file.create_group(name)
            group.attrs.update({"encoding-type": "dataframe", "encoding-version": "0.2.0"})
            group.attrs["_index"] = "_index"
            group.attrs["column-order"] = np.array([*columns], h5py.string_dtype())
            for column, words in {"_index": names, **columns}.items():
                group[column] = np.array(words, dtype=object)
                kind = {"encoding-type": "string-array", "encoding-version": "0.2.0"}
                group[column].attrs.update(kind)


def nan_numbers(path: Path) -> None:
    """A model whose numbers are none."""
    with tempfile.TemporaryDirectory() as folder:
        model, *_ = seeds.write_models(Path(folder))
        with np.load(model) as stored:
            arrays = dict(stored)
    wrong = {name: a * np.nan for name, a in arrays.items() if a.dtype.kind == "f"}
    with path.open("wb") as file:
        np.savez_compressed(file, **{**arrays, **wrong})


FILES: dict[str, Callable[[Path], None]] = {
    "wrong-dimension.xlsx": wrong_dimension,
    "external-link.h5": external_link,
    "external-storage.h5": external_storage,
    "virtual-dataset.h5ad": virtual_dataset,
    "nan-numbers.model": nan_numbers,
}


def main() -> None:
    """Write them all."""
    for name, write in FILES.items():
        write(CORPUS / name)


if __name__ == "__main__":
    main()
