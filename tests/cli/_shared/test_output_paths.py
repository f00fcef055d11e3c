import os
import resource
from contextlib import contextmanager

import pytest

from tests.cli.conftest import GOOD, QUICK, assert_one_sentence


@contextmanager
def full_disk():
    """No file may grow beyond a few bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def unwritable(tmp_path):
    """A folder without permission to write; root may write to all but those of the kernel."""
    if os.geteuid() == 0:
        if not os.path.isdir("/sys"):
            pytest.skip("root may write anywhere, and this system has no /sys")
        return "/sys"
    (tmp_path / "locked").mkdir(mode=0o500)
    return tmp_path / "locked"


WRITERS = [*QUICK, "predict", "datasets"]


@pytest.fixture
def written(hitmiss, on_file, xor_csv, tmp_path):
    """Run a command that works, with the given output."""
    hitmiss("select", "--quick", xor_csv, "-t", "kind", "-o", tmp_path / "xor")

    def run(command, out):
        if command == "datasets":
            options = ["--n-irrelevant", "3", "--overwrite"]
            return hitmiss("datasets", "xor", *options, "-o", f"{out}.csv")
        if command == "predict":
            model = tmp_path / "xor" / "model.npz"
            options = ["-t", "kind", "-q", "--overwrite"]
            return hitmiss("predict", model, xor_csv, *options, "-o", out)
        return on_file(command, xor_csv, out)

    return run


@pytest.mark.parametrize("command", WRITERS)
def test_a_full_disk_leaves_nothing(written, tmp_path, command):
    assert written(command, tmp_path / "first").exit_code == 0  # and all is compiled
    before = sorted(tmp_path.rglob("*"))
    with full_disk():
        result = written(command, tmp_path / "second")
    assert_one_sentence(result, "second")
    assert "File too large" in result.stderr
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("command", WRITERS)
def test_a_full_disk_leaves_what_was_there(written, tmp_path, command):
    assert written(command, tmp_path / "out").exit_code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with full_disk():
        assert written(command, tmp_path / "out").exit_code == 2
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("command", WRITERS)
def test_no_permission_to_write(written, tmp_path, command):
    result = written(command, f"{unwritable(tmp_path)}/out")
    assert_one_sentence(result, "/out")
    assert any(word in result.stderr for word in ("permitted", "denied", "Read-only"))


@pytest.mark.parametrize("command", WRITERS)
def test_an_output_below_a_file(written, xor_csv, command):
    before = xor_csv.read_bytes()
    assert_one_sentence(written(command, xor_csv / "out"), "Not a directory")
    assert xor_csv.read_bytes() == before


@pytest.mark.parametrize("command", ["predict", "datasets"])
def test_a_folder_that_is_not_there(written, tmp_path, command):
    out = tmp_path / "nowhere" / "out"
    assert_one_sentence(written(command, out), "No such file or directory.")


@pytest.mark.parametrize("command", ["predict", "datasets"])
def test_a_folder_in_place_of_a_file(written, tmp_path, command):
    (tmp_path / "out.csv").mkdir()
    out = tmp_path / ("out" if command == "datasets" else "out.csv")
    assert_one_sentence(written(command, out), "out.csv: Is a directory.")
    assert list((tmp_path / "out.csv").iterdir()) == []


def test_an_output_that_would_lose_something(hitmiss, good, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years")
    result = hitmiss("select", "--quick", good, "-t", "kind", "-q", "-o", tmp_path / "mine")
    assert_one_sentence(result, "holds other files (thesis.txt), which would be lost")
    assert_one_sentence(
        hitmiss("select", "--quick", good, "-t", "kind", "-q", "-o", good), "is a file"
    )
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years"


def test_an_output_that_is_the_input(hitmiss, small_model, good, tmp_path):
    (tmp_path / "link.csv").symlink_to(good)
    for out in (good, tmp_path / "link.csv", tmp_path / "." / "good.csv"):
        for told in ([], ["--overwrite"]):
            result = hitmiss("predict", small_model, good, "-q", "-o", out, *told)
            assert_one_sentence(result, "good.csv is read and would be lost; name another output")
    before = small_model.read_bytes()
    result = hitmiss("predict", small_model, good, "-q", "-o", small_model, "--overwrite")
    assert_one_sentence(result, "model.npz is read and would be lost")
    assert (good.read_text(), small_model.read_bytes()) == (GOOD, before)


@pytest.mark.parametrize(
    ("command", "name"),
    [("select", "weights.csv"), ("compare", "selected.csv"), ("stability", "frequencies.csv")],
)
def test_a_folder_that_holds_the_input(on_file, tmp_path, command, name):
    path = tmp_path / "mine" / name
    path.parent.mkdir()
    path.write_text(GOOD)
    result = on_file(command, path, tmp_path / "mine")
    assert_one_sentence(result, f"{name} is read and would be lost; name another output")
    assert path.read_text() == GOOD


@pytest.mark.parametrize("command", ["predict", "datasets"])
def test_an_output_that_exists(hitmiss, small_model, good, tmp_path, command):
    out = tmp_path / "out.csv"
    out.write_text("years")
    args = ["predict", small_model, good] if command == "predict" else ["datasets", "xor"]
    result = hitmiss(*args, "-o", out)
    assert_one_sentence(
        result, "out.csv exists; name another file, or replace it with --overwrite."
    )
    assert out.read_text() == "years"
    assert hitmiss(*args, "-o", out, "--overwrite").exit_code == 0
    assert "class" in out.read_text()


def test_an_output_that_is_no_ordinary_file(hitmiss, small_model, good, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    result = hitmiss("predict", small_model, good, "-q", "-o", tmp_path / "pipe", "--overwrite")
    assert_one_sentence(result, "pipe is not a regular file; name another.")
    assert (tmp_path / "pipe").is_fifo()


def test_a_folder_behind_links_in_a_circle(hitmiss, good, tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    options = ["-t", "kind", "-m", "fisherscore"]
    result = hitmiss("select", good, *options, "--out", tmp_path / "loop")
    assert_one_sentence(result, "Too many levels of symbolic links")
