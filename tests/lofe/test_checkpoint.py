"""Fits that are interrupted go on where they were."""

import json
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitmiss import LOFE, datasets, persistence
from hitmiss.lofe.checkpoint import FORMAT, Checkpoint, Checkpointed
from hitmiss.lofe.coarse_to_fine import APPROXIMATE, SCREENED_STEPS
from hitmiss.lofe.fixed_point import EXACT, Exact, Step
from hitmiss.lofe.newton import Root
from hitmiss.lofe.problem import Point
from tests.interrupts import lines


def spiral(n_irrelevant=1500):
    return datasets.make_spiral(
        60, n_irrelevant=n_irrelevant, random_state=0, dtype=np.float32, return_X_y=True
    )


def model(folder=None, **parameters):
    return LOFE(alpha=0.3, checkpoint=folder, n_jobs=1, **parameters)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a finished fit, and the fit."""
    folder = tmp_path_factory.mktemp("finished") / "checkpoint"
    return folder, model(folder).fit(*spiral())


def first_steps(folder, target, k):
    """A copy of a checkpoint as it was after k steps."""
    shutil.copytree(folder, target)
    for path in sorted(target.glob("*.step"))[k:]:
        path.unlink()
    return target


def assert_same(one, other):
    for name, value in vars(one).items():
        if name.endswith("_") and name != "checkpoint":
            np.testing.assert_equal(getattr(other, name), value)


def test_a_checkpoint_changes_nothing(finished):
    assert_same(model().fit(*spiral()), finished[1])


@pytest.mark.parametrize("k", [0, 1, 2, 5, 20, 10**6])
def test_a_fit_goes_on_after_any_step(finished, tmp_path, k):
    folder, expected = finished
    part = first_steps(folder, tmp_path / "part", k)
    assert_same(model(part).fit(*spiral()), expected)
    assert sorted(os.listdir(part)) == sorted(os.listdir(folder))


def test_every_iteration_is_a_step(finished):
    folder, expected = finished
    assert len(list(folder.glob("*.step"))) > len(expected.history_) >= 10


def test_a_fit_goes_on_with_other_threads_and_another_place_of_the_data(finished, tmp_path):
    X, y = spiral()
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    part = first_steps(finished[0], tmp_path / "part", 6)
    again = model(part, memory="30MB", verbose=True).set_params(n_jobs=2).fit(mapped, y)
    np.testing.assert_array_equal(again.weights_, finished[1].weights_)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:LOFE did not converge")
def test_evidence_and_auto_sigma_go_on_too(tmp_path):
    X, y = datasets.make_twonorm(40, n_irrelevant=20, random_state=0, return_X_y=True)
    how = {"alpha": "evidence", "sigma": "auto", "n_jobs": 1, "max_iter": 3}
    expected = LOFE(**how, checkpoint=tmp_path / "whole").fit(X, y)
    n_steps = len(list((tmp_path / "whole").glob("*.step")))
    part = first_steps(tmp_path / "whole", tmp_path / "part", n_steps // 2)
    assert_same(LOFE(**how, checkpoint=part).fit(X, y), expected)


class KilledAt(type(lines())):
    """This process is killed at a line of the library, in the middle of whatever it does."""

    def __call__(self, *event):
        try:
            return super().__call__(*event)
        except KeyboardInterrupt:
            os.kill(os.getpid(), signal.SIGKILL)


KILLED = """
import os, random, shutil, signal, sys
from pathlib import Path
from tests.lofe.test_checkpoint import KilledAt, lines, model, spiral
X, y = spiral()
folder = Path(sys.argv[1])
expected = model(folder).fit(X, y).weights_
whole = len(list(folder.glob("*.step")))
shutil.rmtree(folder)
with lines() as counted:
    model(folder).fit(X, y)
rng, killed, unfinished = random.Random(0), 0, 0
for _ in range(12):
    shutil.rmtree(folder)
    at, child = rng.randrange(counted.n_seen), os.fork()
    if not child:
        with KilledAt(at):
            model(folder).fit(X, y)
    killed += os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    unfinished += len(list(folder.glob("*.step"))) < whole
    assert (model(folder).fit(X, y).weights_ == expected).all()
    assert not list(folder.glob(".*"))
print(killed, unfinished)
"""


@pytest.mark.full
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are killed where they are forked")
def test_killed_at_twelve_lines_it_gives_the_same_weights(tmp_path):
    call = [sys.executable, "-c", KILLED, str(tmp_path / "checkpoint")]
    done = subprocess.run(call, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    killed, unfinished = map(int, done.stdout.split())
    assert killed == 12
    assert unfinished >= 6  # the others were killed after the last step


FULL = """
import resource, signal, sys
from tests.lofe.test_checkpoint import model, spiral
X, y = spiral()
model().fit(X, y)  # what is compiled may be written, too
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
try:
    model(sys.argv[1]).fit(X, y)
except OSError as error:
    print(error)
"""


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="a limit of the size of files is one of Unix")
def test_a_fit_goes_on_after_the_disk_was_full(finished, tmp_path):
    folder, expected = finished
    part = first_steps(folder, tmp_path / "part", 9)
    large = [path for path in sorted(folder.glob("*.step"))[9:] if path.stat().st_size > 10_000]
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(part)], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"[Errno 27] File too large: '{part / large[0].name}'\n"
    names = sorted(os.listdir(part))
    assert names == [*(f"{k:06d}.step" for k in range(int(large[0].stem))), "checkpoint.json"]
    assert len(names) > 10
    assert_same(model(part).fit(*spiral()), expected)


OTHERS = {
    "other data": lambda X, y: (model(), X + np.eye(*X.shape, dtype="f4"), y),
    "one value": lambda X, y: (model(), np.where(np.arange(X.size).reshape(X.shape) == 9, 0, X), y),
    "other labels": lambda X, y: (model(), X, 1 - y),
    "another alpha": lambda X, y: (model().set_params(alpha=0.5), X, y),
    "another start": lambda X, y: (model().set_params(init=np.ones(X.shape[1])), X, y),
}


@pytest.mark.parametrize("case", OTHERS)
def test_the_checkpoint_of_another_fit_is_refused(finished, case):
    other, X, y = OTHERS[case](*spiral())
    sentence = "belongs to a fit with other data or parameters; name another folder"
    with pytest.raises(ValueError, match=sentence):
        other.set_params(checkpoint=finished[0]).fit(X, y)


def test_the_checkpoint_of_another_version_is_refused(finished, tmp_path):
    part = first_steps(finished[0], tmp_path / "part", 3)
    header = json.loads((part / "checkpoint.json").read_text())
    (part / "checkpoint.json").write_text(json.dumps({**header, "version": "0.0.1"}))
    with pytest.raises(ValueError, match="belongs to a fit with another version"):
        model(part).fit(*spiral())
    (part / "checkpoint.json").write_text(json.dumps({**header, "format": FORMAT - 1}))
    with pytest.raises(ValueError, match="belongs to a fit with another version"):
        model(part).fit(*spiral())


@pytest.fixture(scope="module")
def damaged(finished, tmp_path_factory):
    """A checkpoint of six steps to damage again and again."""
    return first_steps(finished[0], tmp_path_factory.mktemp("damaged") / "checkpoint", 6)


@settings(max_examples=40, deadline=None)
@given(place=st.floats(0, 1, exclude_max=True), flip=st.integers(1, 255), cut=st.booleans())
@pytest.mark.parametrize("name", ["000000.step", "000004.step"])
def test_a_damaged_step_is_refused(damaged, name, place, flip, cut):
    path = damaged / name
    good = path.read_bytes()
    k = int(place * len(good))
    bad = good[:k] if cut else good[:k] + bytes([good[k] ^ flip]) + good[k + 1 :]
    try:
        path.write_bytes(bad)
        with pytest.raises(ValueError, match=f"{name} is damaged, .*delete the folder"):
            model(damaged).fit(*spiral())
    finally:
        path.write_bytes(good)
    assert bad != good


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"format": 1}', b"\xff\xfe", b"null"])
def test_a_damaged_header_is_refused(damaged, content):
    path = damaged / "checkpoint.json"
    good = path.read_bytes()
    try:
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"checkpoint\.json is damaged"):
            model(damaged).fit(*spiral())
    finally:
        path.write_bytes(good)


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(ValueError, match=r"holds other files \(thesis.txt\) and no checkpoint"):
        model(tmp_path).fit(*spiral())
    assert os.listdir(tmp_path) == ["thesis.txt"]
    with pytest.raises(ValueError, match="is a file; name a folder"):
        model(tmp_path / "thesis.txt").fit(*spiral())
    with pytest.raises(ValueError, match=r"c' cannot be made \(Not a directory\); name another"):
        model(tmp_path / "thesis.txt" / "c").fit(*spiral())


def test_the_papers_algorithm_keeps_none(tmp_path):
    with pytest.raises(ValueError, match="solver='paper' keeps no checkpoint"):
        model(tmp_path, solver="paper").fit(*spiral())


def test_a_model_with_a_checkpoint_is_saved_with_its_name(finished, tmp_path):
    persistence.save(finished[1], tmp_path / "model.npz")
    again = persistence.load(tmp_path / "model.npz")
    assert again.checkpoint == str(finished[0])
    np.testing.assert_array_equal(again.weights_, finished[1].weights_)


ANSWERS = {
    "step": Step(np.array([1.0, 0.0]), 1e-7, 3.5, 0.25, Point(*np.ones((7, 1)))),
    "root": Root(np.array([2.0]), np.array([1.0]), np.array([0.5, 0.25]), 3.0, 1e-6, 2),
    "weighted_margins": np.array([[0.5, -1.0], [0.25, 0.0]], np.float32),
    "first_gradients": np.arange(6.0).reshape(2, 3),
}


class Answering(Exact):
    """An evaluator with these answers, whatever it is asked."""

    def __init__(self, **answers):
        for name, answer in answers.items():
            setattr(self, name, lambda *arguments, answer=answer: answer)


def not_called(*arguments):
    raise AssertionError("the answer is in the folder")


def asked(evaluator, name):
    """The answer to a question with as many arguments as it has."""
    return getattr(evaluator, name)(
        *range({"weighted_margins": 3, "first_gradients": 3}.get(name, 4))
    )


def test_every_answer_is_remembered(tmp_path):
    questions = {name for name in vars(Exact) if callable(getattr(Exact, name)) and name[0] != "_"}
    assert questions - {"replaced_by"} == set(ANSWERS)
    with Checkpoint(tmp_path, "key") as checkpoint:
        first = Checkpointed(Answering(**ANSWERS), checkpoint)
        for name, answer in ANSWERS.items():
            assert asked(first, name) is answer
    with Checkpoint(tmp_path, "key") as checkpoint:
        nobody = Exact()
        vars(nobody).update(dict.fromkeys(ANSWERS, not_called))
        again = Checkpointed(nobody, checkpoint)
        for name, answer in ANSWERS.items():
            found = asked(again, name)
            assert type(found) is type(answer)
            expected = answer._replace(point=None) if name == "step" else answer  # found at w
            np.testing.assert_equal(found, expected)
            assert getattr(found, "dtype", None) == getattr(answer, "dtype", None)
        with pytest.raises(AssertionError, match="is in the folder"):
            asked(again, "step")  # one more than the first run asked


def test_another_evaluator_is_stored_in_the_same_folder(tmp_path):
    with Checkpoint(tmp_path, "key") as checkpoint:
        plain = Checkpointed(EXACT, checkpoint)
        other = plain.replaced_by(APPROXIMATE)
        assert (plain.few, plain.anderson) == (EXACT.few, EXACT.anderson)
        assert (other.few, other.anderson) == (APPROXIMATE.few, True)
        assert (other.evaluator, other.checkpoint) == (APPROXIMATE, checkpoint)
    assert EXACT.replaced_by(SCREENED_STEPS) is SCREENED_STEPS


def test_an_answer_that_found_nothing_is_remembered(tmp_path):
    for root in (lambda *_: None, not_called):
        with Checkpoint(tmp_path, "key") as checkpoint:
            assert checkpoint.answer("root", root) is None


def test_an_answer_with_other_fields_is_damaged(tmp_path):
    class Other(NamedTuple):
        left: np.ndarray

    with Checkpoint(tmp_path, "key") as checkpoint:
        checkpoint.answer("root", lambda: Other(np.array([4, 7])))
    with Checkpoint(tmp_path, "key") as again, pytest.raises(ValueError, match="step is damaged, "):
        again.answer("root", not_called)


def test_an_answer_of_another_name_is_damaged(tmp_path):
    with Checkpoint(tmp_path, "key") as checkpoint:
        checkpoint.answer("weighted_margins", lambda: np.ones(2))
    with Checkpoint(tmp_path, "key") as again, pytest.raises(ValueError, match="step is damaged"):
        again.answer("first_gradients", not_called)


def test_a_folder_in_use_is_refused_and_a_killed_fit_leaves_no_lock(tmp_path):
    (tmp_path / ".000007.step.abcd.part").touch()  # of the fit that goes on
    holder = "import sys; from hitmiss.lofe.checkpoint import Checkpoint\n"
    holder += "with Checkpoint(sys.argv[1], 'key'): print('open', flush=True); sys.stdin.read()"
    call = [sys.executable, "-c", holder, str(tmp_path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(call, stdin=pipe, stdout=pipe, text=True) as other:
        assert other.stdout.readline() == "open\n"
        (tmp_path / ".000008.step.abcd.part").touch()
        with pytest.raises(ValueError, match=r"^Another fit uses the checkpoint in .*; wait for"):
            model(tmp_path).fit(*spiral())
        assert (tmp_path / ".000008.step.abcd.part").exists()
        other.kill()
    with Checkpoint(tmp_path, "key"):
        assert os.listdir(tmp_path) == ["checkpoint.json"]


def test_many_fits_at_once_on_one_folder_are_done_or_refused(tmp_path):
    X, y = spiral(200)
    expected = model().fit(X, y).weights_

    def fit(k):
        try:
            return model(tmp_path).fit(X, y).weights_
        except ValueError as error:
            return str(error)

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(fit, range(24)))
    refused = [item for item in found if isinstance(item, str)]
    assert all(sentence.startswith("Another fit uses") for sentence in refused)
    assert len(refused) < 24
    for item in found:
        if not isinstance(item, str):
            np.testing.assert_array_equal(item, expected)


def test_a_fit_that_fails_leaves_no_lock(tmp_path):
    X, y = spiral(200)
    with pytest.raises(KeyboardInterrupt) as caught, lines(20_000):
        model(tmp_path).fit(X, y)
    assert model(tmp_path).fit(X, y).converged_
    assert caught.value.__traceback__ is not None  # alive, and so the frames of the first fit


def test_a_checkpoint_of_named_features_and_weights_by_class(tmp_path):
    X, y = datasets.make_twonorm(30, n_irrelevant=3, random_state=0, return_X_y=True)
    frame = (
        pd.DataFrame(X).add_prefix("gene").assign(gene3=np.arange(30) % 3, gene4=np.arange(30) % 5)
    )
    settings = {"categorical": ["gene3"], "class_weight": {0: 1.0, 1: 2.0}}
    expected = LOFE(**settings).fit(frame, y)
    for _ in range(2):
        found = LOFE(**settings, checkpoint=tmp_path / "steps").fit(frame, y)
        np.testing.assert_array_equal(found.weights_, expected.weights_)
    for other in ({"categorical": ["gene4"]}, {"class_weight": {0: 1.0, 1: 3.0}}):
        with pytest.raises(ValueError, match="other data or parameters"):
            LOFE(**settings | other, checkpoint=tmp_path / "steps").fit(frame, y)
