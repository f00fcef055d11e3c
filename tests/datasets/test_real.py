import contextlib
import sys
from urllib.error import URLError

import numpy as np
import pytest
import sklearn.datasets
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.utils import Bunch

from hitmiss import datasets
from hitmiss.datasets.real import OPENML

X = np.array([[0.0, 1.0], [2.0, np.nan], [4.0, 5.0]], np.float32)
Y = np.array(["a", "b", "a"])


@pytest.fixture
def folder(tmp_path):
    np.savez(tmp_path / "plain.npz", X=X, y=Y)
    np.savez(tmp_path / "rich.npz", X=X, y=Y, feature_names=["p", "q"], train_idx=[[0, 1]])
    return tmp_path


def test_load_gives_what_the_file_holds(folder):
    plain = datasets.load("plain", folder)
    np.testing.assert_array_equal(plain.data, X)
    assert plain.target.tolist() == ["a", "b", "a"]
    assert plain.feature_names == ["x0", "x1"]
    assert plain.DESCR == "plain: 3 samples, 2 features."
    rich = datasets.load("rich", str(folder))
    assert rich.feature_names == ["p", "q"]
    assert rich.train_idx.tolist() == [[0, 1]]


def test_load_as_a_pair(folder):
    data, target = datasets.load("rich", folder, return_X_y=True)
    assert data.dtype == np.float32
    assert target.shape == (3,)


def test_the_folder_may_come_from_the_environment(folder, monkeypatch):
    monkeypatch.setenv("HITMISS_DATA", str(folder))
    assert datasets.load("plain").data.shape == (3, 2)
    monkeypatch.setenv("HITMISS_DATA", "")
    with pytest.raises(ValueError, match="Pass data_home, or set HITMISS_DATA to the folder"):
        datasets.load("plain")


def test_a_missing_set_is_told_apart_from_one_to_be_had(folder):
    with pytest.raises(FileNotFoundError, match=r"no other.npz in .*; it has plain, rich\."):
        datasets.load("other", folder)
    with pytest.raises(FileNotFoundError, match=r"get it with hitmiss.datasets.fetch\('uci_yeast"):
        datasets.load("uci_yeast", folder)
    with pytest.raises(FileNotFoundError, match="nowhere is not a folder"):
        datasets.load("plain", folder / "nowhere")


@pytest.mark.parametrize("name", ["../plain", "a/b", "", ".plain", "plain.npz", None, 3, "pläin"])
def test_a_name_cannot_lead_out_of_the_folder(folder, name):
    for function in (datasets.load, datasets.fetch):
        with pytest.raises(ValueError, match="name must consist of letters"):
            function(name, folder)


@pytest.mark.parametrize(
    "arrays",
    [
        {"X": X},
        {"X": X, "y": Y[:2]},
        {"X": X[0], "y": Y[:2]},
        {"X": Y[:, None], "y": Y},
        {"X": X, "y": np.array([None, 1, 2])},
    ],
)
def test_a_file_that_is_no_dataset_gets_one_sentence(tmp_path, arrays):
    np.savez(tmp_path / "bad.npz", **arrays)
    with pytest.raises(ValueError, match=r"bad.npz is not a dataset: .*\.$"):
        datasets.load("bad", tmp_path)


class Trap:
    def __reduce__(self):
        return sys.exit, ("unpickled",)


def test_nothing_is_unpickled(tmp_path):
    np.savez(tmp_path / "trap.npz", X=np.array([[Trap()]]), y=np.array([1]))
    with pytest.raises(ValueError, match="not a dataset"):
        datasets.load("trap", tmp_path)


@given(st.binary(max_size=200), st.integers(0, 600))
@example(b"", 0)
@example(b"PK\x03\x04", 0)
@example(b"\x93NUMPY", 0)
def test_a_damaged_file_is_never_another_error(tmp_path_factory, junk, cut):
    folder = tmp_path_factory.mktemp("damaged")
    np.savez_compressed(folder / "whole.npz", X=X, y=Y)
    whole = (folder / "whole.npz").read_bytes()
    (folder / "damaged.npz").write_bytes(whole[:cut] + junk + whole[cut + len(junk) :])
    with contextlib.suppress(ValueError):  # the one sentence; anything else fails the test
        datasets.load("damaged", folder)


def offered(n_samples=768):
    """What OpenML would answer for diabetes."""
    sizes = {"tested_negative": n_samples - 268, "tested_positive": 268}
    target = np.repeat(list(sizes), list(sizes.values()))
    data = np.arange(8.0 * n_samples).reshape(n_samples, 8)
    return Bunch(data=data, target=target, feature_names=[f"f{j}" for j in range(8)])


def test_fetch_keeps_what_it_downloads(tmp_path, monkeypatch):
    asked = []

    def openml(data_id, **options):
        asked.append(data_id)
        return offered()

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", openml)
    first, second = (datasets.fetch("ida_diabetis", tmp_path) for _ in range(2))
    assert asked == [37]
    np.testing.assert_array_equal(first.data, second.data)
    assert first.feature_names[0] == "f0"
    assert [path.name for path in tmp_path.iterdir()] == ["ida_diabetis.npz"]


def test_fetch_refuses_another_set(tmp_path, monkeypatch):
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda **_: offered(700))
    with pytest.raises(ValueError, match="set 37 is not ida_diabetis as published: 700 samples"):
        datasets.fetch("ida_diabetis", tmp_path)
    assert not list(tmp_path.iterdir())


def test_fetch_without_a_network(tmp_path, monkeypatch):
    def unreachable(**options):
        raise URLError("no network")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", unreachable)
    with pytest.raises(ConnectionError, match="OpenML cannot be reached for uci_yeast: try again"):
        datasets.fetch("uci_yeast", tmp_path)
    with pytest.raises(ValueError, match=r"does not offer 'tox_171' .* put tox_171.npz into"):
        datasets.fetch("tox_171", tmp_path)


@pytest.mark.parametrize("name", OPENML)
def test_what_openml_must_offer_is_what_the_papers_used(data_home, name):
    source, found = OPENML[name], datasets.load(name, data_home)
    assert found.data.shape == (source.n_samples, source.n_features)
    assert sorted(np.unique(found.target, return_counts=True)[1]) == list(source.class_sizes)
