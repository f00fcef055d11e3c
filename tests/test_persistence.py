import json
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.neighbors import KNeighborsClassifier

from fuzz import seeds
from hitmiss import LOFE, Ensemble, OnlineIRelief, OnlineLOFE, ReliefF, datasets, persistence
from hitmiss.registry import make, methods

METHODS = ("transform", "predict", "predict_proba", "decision_function")


def data():
    X, y = datasets.make_clusters(60, n_irrelevant=3, random_state=0, return_X_y=True)
    return X, np.array(["healthy", "ill", "worse"])[y]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.npz"


@pytest.fixture
def saved(path):
    """A model on disk."""
    persistence.save(LOFE().fit(*data()), path)
    return path


def assert_same(a, b):
    """Equal values of any kind, arrays to the last bit."""
    if isinstance(a, dict | list | tuple):
        assert type(a) is type(b)
        assert len(a) == len(b)
        pairs = (a.items(), b.items()) if isinstance(a, dict) else (a, b)
        for one, two in zip(*pairs, strict=True):
            assert_same(one, two)
    elif hasattr(a, "__dict__"):
        assert type(a) is type(b)
        assert_same(vars(a), vars(b))
    elif isinstance(a, np.random.Generator):
        assert a.bit_generator.state == b.bit_generator.state
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    else:
        assert a == b or (np.isnan(a) and np.isnan(b))


@pytest.mark.filterwarnings("ignore:No features were selected", "ignore:All weights are zero")
@pytest.mark.parametrize("name", methods())
def test_every_method_comes_back_the_same(path, name):
    X, y = data()
    if make(name).explains == "numbers":
        y = X[:, 0] + X[:, 1]
    if make(name).explains == "survival":
        y = np.column_stack([np.arange(60) % 3 > 0, X[:, 0] - X[:, 0].min()])
    fitted = make(name).fit(pd.DataFrame(X, columns=list("abcde")), y)
    persistence.save(fitted, path)
    again = persistence.load(path)
    assert_same(vars(fitted), vars(again))
    frame = pd.DataFrame(X, columns=list("abcde"))
    for method in METHODS:
        if hasattr(fitted, method):
            np.testing.assert_array_equal(
                getattr(again, method)(frame), getattr(fitted, method)(frame)
            )


@pytest.mark.parametrize("name", ["lofe", "onlinelofe"])
def test_classifiers_need_only_the_features_with_a_weight(name):
    X, y = data()
    frame = pd.DataFrame(X[:, ::-1], columns=list("abcde"))
    fitted = make(name).fit(frame, y)
    before = fitted.weights_.copy()
    used = fitted.feature_names_in_[fitted.weights_ != 0]
    assert 0 < len(used) < 5
    few = persistence.on_used_features(fitted)
    np.testing.assert_array_equal(few.predict_proba(frame[used]), fitted.predict_proba(frame))
    assert few.get_feature_names_out().tolist() == fitted.get_feature_names_out().tolist()
    np.testing.assert_array_equal(fitted.weights_, before)


STREAMS = [OnlineIRelief(memory=20, random_state=0), OnlineLOFE(reservoir=20, random_state=0)]


@pytest.mark.parametrize("online", STREAMS, ids=lambda online: type(online).__name__)
def test_a_stream_goes_on_where_it_was_saved(path, online):
    X, y = data()
    first = clone(online).partial_fit(X[:40], y[:40])
    persistence.save(first, path)
    again = persistence.load(path)
    for stream in (first, again):
        stream.partial_fit(X[40:], y[40:])
    np.testing.assert_array_equal(first.weights_, again.weights_)


@pytest.mark.parametrize("online", STREAMS, ids=lambda online: type(online).__name__)
def test_a_stream_with_another_memory_is_refused(path, online):
    X, y = data()
    fitted = clone(online).partial_fit(X, y)
    fitted._memory._X = fitted._memory._X[:, :3]
    persistence.save(fitted, path)
    with pytest.raises(ValueError, match="do not fit together"):
        persistence.load(path)


def test_the_same_model_is_the_same_file(path, tmp_path):
    fitted = LOFE().fit(*data())
    persistence.save(fitted, path)
    persistence.save(fitted, tmp_path / "other.npz")
    assert path.read_bytes() == (tmp_path / "other.npz").read_bytes()


@pytest.mark.parametrize("labels", [[0, 1], [True, False], [0.0, 1.0], ["é", "<b>"]])
def test_labels_of_any_kind(path, labels):
    X = np.array([[0.0], [1.0], [10.0], [11.0]])
    fitted = LOFE(alpha=0.1).fit(X, np.repeat(labels, 2))
    persistence.save(fitted, path)
    np.testing.assert_array_equal(persistence.load(path).predict(X), fitted.predict(X))


def test_what_cannot_be_saved(path):
    X, y = data()
    with pytest.raises(NotFittedError):
        persistence.save(LOFE(), path)
    with pytest.raises(ValueError, match="A KNeighborsClassifier cannot be saved; only estimators"):
        persistence.save(KNeighborsClassifier().fit(X, y), path)
    ensemble = Ensemble(ReliefF(), importance_getter=lambda e: e.weights_).fit(X, y)
    with pytest.raises(ValueError, match="A function cannot be saved"):
        persistence.save(ensemble, path)
    assert not list(path.parent.iterdir())


def rewritten(path, change):
    """Change the header of a model."""
    with np.load(path) as stored:
        arrays = dict(stored)
    head = json.loads(arrays[persistence.HEADER].tobytes())
    change(head, arrays)
    arrays[persistence.HEADER] = np.frombuffer(json.dumps(head).encode(), np.uint8)
    with path.open("wb") as f:
        np.savez(f, **arrays)


CHANGES = {
    "newer": (
        lambda head, _: head.update(version=3, hitmiss="9.0"),
        r"was saved by hitmiss 9.0, whose models this .* does not read; load it with that",
    ),
    "older": (
        lambda head, _: head.update(version=1, hitmiss="0.1.0"),
        r"was saved by hitmiss 0.1.0, whose models this .* does not read; .* fit and save it again",
    ),
    "another format": (lambda head, _: head.update(format="x"), "is not a model that hitmiss has"),
    "an unknown class": (
        lambda head, _: head["model"].update(object="os.system"),
        "holds a os.system, which this version of hitmiss lacks",
    ),
    "no weights": (lambda head, _: head["model"]["state"].pop("weights_"), "cannot be read"),
    "no parameter": (lambda head, _: head["model"]["state"].pop("alpha"), "cannot be read|fit tog"),
    "fewer samples": (
        lambda head, arrays: arrays.update(
            {k: v[:3] for k, v in arrays.items() if v.ndim == 2 and v.dtype == float}
        ),
        "do not fit together",
    ),
    "an unknown kind": (
        lambda head, _: head["model"]["state"].update(alpha={"object_": "x"}),
        "cannot be read",
    ),
}


@pytest.mark.parametrize("case", CHANGES)
def test_changed_files_are_refused_in_one_sentence(saved, case):
    change, sentence = CHANGES[case]
    rewritten(saved, change)
    with pytest.raises(ValueError, match=sentence) as caught:
        persistence.load(saved)
    assert "\n" not in str(caught.value)


def test_foreign_files_are_refused(tmp_path, saved):
    np.savez(tmp_path / "foreign.npz", X=np.eye(2))
    np.save(tmp_path / "single.npy", np.eye(2))
    for name in ("foreign.npz", "single.npy"):
        with pytest.raises(ValueError, match="is not a model that hitmiss has saved"):
            persistence.load(tmp_path / name)
    with pytest.raises(ValueError, match="There is no model at"):
        persistence.load(tmp_path / "nothing.npz")


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 0.999))
def test_truncated_files_are_refused(saved, share):
    cut = saved.with_name("cut.npz")
    whole = saved.read_bytes()
    cut.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        persistence.load(cut)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.floats(0, 0.999), bit=st.integers(0, 7))
def test_a_flipped_bit_is_noticed_or_harmless(saved, place, bit):
    content = bytearray(saved.read_bytes())
    content[int(place * len(content))] ^= 1 << bit
    flipped = saved.with_name("flipped.npz")
    flipped.write_bytes(content)
    try:
        again = persistence.load(flipped)
    except ValueError:
        return
    np.testing.assert_array_equal(
        again.predict(data()[0]), persistence.load(saved).predict(data()[0])
    )


def test_no_pickle_is_in_the_file_or_loaded(saved):
    with zipfile.ZipFile(saved) as archive:
        heads = [archive.read(name)[:200] for name in archive.namelist()]
    assert heads
    assert not any(b"'O'" in head for head in heads)


def test_models_that_could_not_be_used_are_refused(tmp_path):
    """Right in form, wrong in content: a parameter of another type, numbers that are none."""
    paths = seeds.write_models(tmp_path)
    refused = 0
    for k, path in enumerate(paths):
        for content in seeds.hostile_models(path)[k::12]:  # tests/fuzz tries all
            path.write_bytes(content)
            try:
                model = persistence.load(path)
            except ValueError:
                refused += 1
                continue
            if hasattr(model, "predict_proba"):
                assert np.isfinite(model.predict_proba(np.ones((3, 4)))).all()
    assert refused > 17


def mixed():
    """Words and numbers with gaps; the first two features tell the classes apart."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=60)
    kind = np.where(rng.random(60) < 0.9, np.array(["ash", "elm"])[y], "oak")
    frame = pd.DataFrame({"kind": kind, "x": rng.normal(size=60) + 3 * y})
    frame["noise"] = rng.normal(size=60)
    frame.loc[3, "kind"], frame.loc[[4, 9], "x"] = None, np.nan
    return frame, y


def test_a_model_knows_its_categories_and_what_a_gap_counts_for(path):
    X, y = mixed()
    lofe = LOFE().fit(X, y)
    persistence.save(lofe, path)
    again = persistence.load(path)
    assert again.categories_ == lofe.categories_ == {0: ["ash", "elm", "oak"]}
    new = pd.DataFrame({"kind": ["elm", "fir", None], "x": [1.0, np.nan, 2.0], "noise": np.nan})
    np.testing.assert_array_equal(again.predict_proba(new), lofe.predict_proba(new))
    few = persistence.on_used_features(again)
    found = few.predict_proba(new[["kind", "x"]])
    np.testing.assert_array_equal(found, lofe.predict_proba(new))
    assert few.n_missing_.tolist() == [1, 2]


def test_a_model_of_numbers_that_are_all_there_refuses_others(path):
    X, y = mixed()
    X = X[["x", "noise"]].fillna(0.0)
    persistence.save(LOFE(missing="error", categorical=None).fit(X, y), path)
    with pytest.raises(ValueError, match="NaN"):
        persistence.load(path).predict(X.assign(x=np.nan))
