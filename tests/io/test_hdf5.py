"""HDF5 and AnnData files that name other files as the place of their values."""

import os

import anndata
import h5py
import numpy as np
import pandas as pd
import pytest

from hitmiss.io import read_table

SECRET = b"nobody may read these bytes, which lie in another file."
N = len(SECRET)
X, Y = np.arange(2.0 * N).reshape(N, 2), np.arange(N) % 2


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "secret.txt"
    path.write_bytes(SECRET)
    return path


def external_storage(group, name, secret, shape, dtype):
    group.create_dataset(name, shape, dtype, external=[(str(secret), 0, h5py.h5f.UNLIMITED)])


def external_link(group, name, secret, shape, dtype):
    with h5py.File(secret.with_suffix(".h5"), "w") as other:
        other["values"] = np.frombuffer(SECRET, np.uint8)[: np.prod(shape)].reshape(shape)
    group[name] = h5py.ExternalLink(str(secret.with_suffix(".h5")), "/values")


def soft_to_external(group, name, secret, shape, dtype):
    external_link(group, "there", secret, shape, dtype)
    group[name] = h5py.SoftLink("/there")


def virtual(group, name, secret, shape, dtype):
    external_link(group, "there", secret, shape, dtype)
    del group["there"]
    layout = h5py.VirtualLayout(shape, dtype)
    layout[...] = h5py.VirtualSource(secret.with_suffix(".h5"), "values", shape, dtype)
    group.create_virtual_dataset(name, layout)


def linked_group(group, name, secret, shape, dtype):
    external_link(group, "there", secret, shape, dtype)
    group["folder"] = h5py.ExternalLink(str(secret.with_suffix(".h5")), "/")
    group[name] = h5py.SoftLink("/folder/values")


ATTACKS = [external_storage, external_link, soft_to_external, virtual, linked_group]
attacks = pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
PLACE = r"^'({}|/there|/folder/values)' in .* "
SENTENCE = PLACE + r"(is a link|has its values|is put together).* one file only; copy"


@attacks
@pytest.mark.parametrize("name", ["X", "y", "feature_names"])
@pytest.mark.parametrize("suffix", ["h5", "mat"])
def test_what_lies_in_another_file_is_refused(tmp_path, secret, attack, name, suffix):
    path = tmp_path / f"a.{suffix}"
    shapes = {"X": (N // 2, 2), "y": (N,), "feature_names": (2,)}
    with h5py.File(path, "w") as f:
        for other in {"X", "y"} - {name}:
            f[other] = {"X": X, "y": Y}[other]
        attack(f, name, secret, shapes[name], np.uint8)
    with pytest.raises(ValueError, match=SENTENCE.format(name)):
        read_table(path)


def write_h5ad(path):
    obs = pd.DataFrame({"kind": list("ab" * N)[:N]}, index=[f"s{n}" for n in range(N)])
    anndata.AnnData(X, obs=obs).write_h5ad(path)


@attacks
@pytest.mark.parametrize("name", ["X", "obs/kind", "obs/_index", "var/_index"])
def test_the_same_in_an_h5ad_file(tmp_path, secret, attack, name):
    path = tmp_path / "a.h5ad"
    write_h5ad(path)
    with h5py.File(path, "a") as f:
        del f[name]
        attack(f, name, secret, {"X": (N // 2, 2), "var/_index": (2,)}.get(name, (N,)), np.uint8)
    with pytest.raises(ValueError, match=SENTENCE.format(name)):
        read_table(path, "kind")


def test_a_part_of_a_group_in_another_file_is_refused(tmp_path, secret):
    path = tmp_path / "a.h5ad"
    write_h5ad(path)
    with h5py.File(path, "a") as f:
        del f["obs/kind/codes"]
        f["obs/kind/codes"] = h5py.ExternalLink(str(secret), "/")
    with pytest.raises(ValueError, match=r"^'obs/kind/codes' in .*a\.h5ad is a link"):
        read_table(path, "kind")


@pytest.mark.parametrize("suffix", ["h5", "h5ad", "mat"])
def test_what_is_not_needed_is_not_opened(tmp_path, secret, suffix):
    path, pipe = tmp_path / f"a.{suffix}", tmp_path / "pipe"
    os.mkfifo(pipe)
    if suffix == "h5ad":
        write_h5ad(path)
    with h5py.File(path, "a") as f:
        if suffix != "h5ad":
            f["X"], f["y"] = (X.T if suffix == "mat" else X), Y
        place = f["obs"] if suffix == "h5ad" else f
        f["endless"] = h5py.ExternalLink(str(pipe), "/")
        place["waiting"] = h5py.ExternalLink(str(pipe), "/")
        external_storage(f, "leak", secret, (N,), np.uint8)
        place.create_dataset("huge", (10**6, 10**6), "f4", chunks=(1000, 1000))
    table = read_table(path, "kind" if suffix == "h5ad" else "y")
    np.testing.assert_array_equal(table.X, X)


def test_a_huge_dataset_that_stores_nothing_is_refused(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as f:
        f.create_dataset("X", (10**5, 10**5), "f4", chunks=(1000, 1000))
    sentence = r"^'X' in .* claims to hold 40,000,000,000 bytes, of which only 0 are stored"
    with pytest.raises(ValueError, match=sentence):
        read_table(tmp_path / "a.h5")


def test_links_within_the_file_are_followed(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as f:
        f["study/values"], f["X"] = X, h5py.SoftLink("study/values")
        f["y"], f["loop"] = Y, h5py.SoftLink("loop")
    np.testing.assert_array_equal(read_table(tmp_path / "a.h5").X, X)
    with pytest.raises(ValueError, match="There is no 'loop' in"):
        read_table(tmp_path / "a.h5", "loop")


def test_a_group_that_holds_itself_does_not_hang(tmp_path):
    path = tmp_path / "a.h5ad"
    write_h5ad(path)
    with h5py.File(path, "a") as f:
        f["obs/kind/self"] = f["obs/kind"]
        f["obs"].attrs["encoding-version"] = "0.1.0"  # then the whole file is looked at
        f["uns/self"] = f["uns"]
    with pytest.raises(ValueError, match=r"The group '.*/self' in .* holds itself; remove"):
        read_table(path, "kind")


@pytest.mark.filterwarnings("ignore::anndata.OldFormatWarning")
def test_old_anndata_files_are_read_as_a_whole(tmp_path, secret):
    path = tmp_path / "a.h5ad"
    with h5py.File(path, "w") as f:
        f["X"] = X
        names = np.array([f"s{n}".encode() for n in range(N)])
        f["obs"] = np.rec.fromarrays([names, Y.astype(np.int8)], names="index,kind")
        f["var"] = np.rec.fromarrays([np.array([b"a", b"b"])], names="index")
        f["uns/kind_categories"] = np.array([b"ill", b"well"], dtype=object)
    table = read_table(path, "kind")
    assert (table.feature_names, table.sample_names[:2]) == (["a", "b"], ["s0", "s1"])
    assert table.y[:2].tolist() == ["ill", "well"]
    with h5py.File(path, "a") as f:
        external_storage(f, "leak", secret, (N,), np.uint8)
    with pytest.raises(ValueError, match=r"'/leak' in .* has its values in another file"):
        read_table(path, "kind")
