import gzip

import numpy as np
import openpyxl
import pytest
import scipy.io

from hitmiss.io import read_progress, read_table

X = np.random.default_rng(0).normal(size=(60, 40)).round(6)


def write_text(path):
    text = "\n".join(
        [",".join(f"x{j}" for j in range(40)), *(",".join(map(repr, r)) for r in ROWS)]
    )
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def write_excel(path):
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append([f"x{j}" for j in range(40)])
    for row in ROWS:
        sheet.append(row)
    book.save(path)


def write_arff(path):
    head = ["@relation r", *(f"@attribute x{j} numeric" for j in range(40)), "@data"]
    path.write_text("\n".join([*head, *(",".join(map(repr, row)) for row in ROWS)]))


ROWS = X.tolist()
WRITERS = {
    "csv": write_text,
    "csv.gz": write_text,
    "npz": lambda path: np.savez_compressed(path, X=X),
    "mat": lambda path: scipy.io.savemat(path, {"X": X}),
    "arff": write_arff,
    "xlsx": write_excel,
}


@pytest.mark.parametrize("suffix", WRITERS)
def test_the_share_that_is_read_is_told(tmp_path, suffix, monkeypatch):
    monkeypatch.setattr(read_progress, "BUFFER", 4096)
    path = tmp_path / f"data.{suffix}"
    WRITERS[suffix](path)
    shares = []
    np.testing.assert_array_equal(read_table(path, watch=shares.append).X, X)
    assert len(shares) > 1
    assert all(0 <= share <= 1 for share in shares)
    assert max(shares) == 1
    assert min(shares) > 0
