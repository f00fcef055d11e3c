import errno
import io
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from hitmiss._util.files import HAS_LOCKS, check_new_folder, new_file, new_folder, write_arrays


def test_a_file_appears_when_it_is_complete(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with new_file(path) as part:
        part.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_a_file_that_fails_leaves_the_old_one(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(error), new_file(path) as part:  # noqa: PT012
        part.write_text("half")
        raise error
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def fill(folder, text="new"):
    (folder / "a.txt").write_text(text)


def test_a_folder_appears_when_it_is_complete(tmp_path):
    path = tmp_path / "deep" / "out"
    with new_folder(path) as part:
        fill(part)
        assert not path.exists()
    assert (path / "a.txt").read_text() == "new"
    assert list(path.parent.iterdir()) == [path]


def test_an_earlier_folder_is_replaced(tmp_path):
    path = tmp_path / "out"
    for text in ("old", "new"):
        with new_folder(path, {"a.txt", "b.txt"}) as part:
            fill(part, text)
            if text == "old":
                (part / "b.txt").touch()
    assert (path / "a.txt").read_text() == "new"
    assert not (path / "b.txt").exists()
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_a_folder_that_fails_leaves_the_old_one(tmp_path, error):
    path = tmp_path / "out"
    with new_folder(path) as part:
        fill(part, "old")
    with pytest.raises(error), new_folder(path, {"a.txt"}) as part:  # noqa: PT012
        fill(part, "half")
        raise error
    assert (path / "a.txt").read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_is_left_of_a_folder_that_fails_or_is_only_tried(tmp_path):
    deep = tmp_path / "a" / "b" / "out"
    with pytest.raises(KeyboardInterrupt), new_folder(deep) as part:  # noqa: PT012
        fill(part)
        raise KeyboardInterrupt
    check_new_folder(deep)
    assert list(tmp_path.iterdir()) == []


def test_errors_name_the_folder_that_was_asked_for(tmp_path):
    full = OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(OSError, match="No space left") as caught, new_folder(tmp_path / "out"):
        raise full
    assert caught.value.filename == str(tmp_path / "out")


def test_other_files_are_never_lost(tmp_path):
    path = tmp_path / "out"
    path.mkdir()
    (path / "thesis.txt").write_text("years of work")
    with pytest.raises(OSError, match=r"holds other files \(thesis.txt\)"), new_folder(path, {"a"}):
        pytest.fail("must not begin")
    with pytest.raises(OSError, match=r"is a file; name a folder"), new_folder(path / "thesis.txt"):
        pytest.fail("must not begin")
    late = tmp_path / "late"
    with pytest.raises(OSError, match="holds other files"), new_folder(late):  # noqa: PT012
        late.mkdir()
        (late / "mine.txt").touch()
    assert (path / "thesis.txt").read_text() == "years of work"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["late", "out"]


def test_of_a_link_what_it_points_to_is_replaced(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with new_folder(tmp_path / "link") as part:
        fill(part)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "a.txt").read_text() == "new"
    assert len(list(tmp_path.iterdir())) == 2


def test_of_a_link_the_file_that_it_points_to_is_replaced(tmp_path):
    (tmp_path / "link").symlink_to("real")
    with new_file(tmp_path / "link") as part:
        part.write_text("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


@pytest.mark.parametrize("new", [new_file, new_folder, check_new_folder])
def test_links_in_a_circle_are_an_error_of_the_system(tmp_path, new):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="symbolic links") as caught:
        new(tmp_path / "a").__enter__()
    assert (caught.value.errno, caught.value.filename) == (errno.ELOOP, str(tmp_path / "a"))


def test_many_who_replace_one_folder_leave_nothing_else(tmp_path):
    def replace(k):
        with new_folder(tmp_path / "out", {"a.txt"}) as part:
            fill(part, str(k))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(replace, range(200)))
    assert os.listdir(tmp_path) == ["out"]
    assert os.listdir(tmp_path / "out") == ["a.txt"]


REPLACING = """
import sys
from pathlib import Path
from hitmiss._util.files import new_folder
print("ready", flush=True)
sys.stdin.readline()
for k in range(25):
    with new_folder(Path(sys.argv[1]), {"a.txt"}) as part:
        (part / "a.txt").write_text(str(k))
"""


@pytest.mark.skipif(not HAS_LOCKS, reason="this system has no locks of folders")
def test_many_processes_that_replace_one_folder_leave_nothing_else(tmp_path):
    call, pipe = [sys.executable, "-c", REPLACING, str(tmp_path / "out")], subprocess.PIPE
    made = [subprocess.Popen(call, stdin=pipe, stdout=pipe, stderr=pipe) for _ in range(4)]
    for process in made:
        process.stdout.readline()  # all begin when the last one is ready
    for process in made:
        process.stdin.write(b"go\n")
        process.stdin.flush()
    errors = [process.communicate(timeout=60)[1] for process in made]
    assert [process.returncode for process in made] == [0] * 4, errors
    assert os.listdir(tmp_path) == ["out"]
    assert (tmp_path / "out" / "a.txt").read_text() == "24"


FULL = """
import resource, signal, sys
from pathlib import Path
from hitmiss._util.files import new_file, new_folder
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
for new, name in ((new_file, "a.txt"), (new_folder, "out")):
    try:
        with new(Path(sys.argv[1], name)) as part:
            (part / "b.txt" if part.is_dir() else part).write_bytes(bytes(20_000))
    except OSError as error:
        print(error.strerror, error.filename)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a limit of the size of files is one of Unix")
def test_a_disk_that_is_really_full_leaves_the_old_file_and_nothing_else(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    call = [sys.executable, "-c", FULL, str(tmp_path)]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    assert (
        done.stdout == f"File too large {tmp_path / 'a.txt'}\nFile too large {tmp_path / 'out'}\n"
    )
    assert (tmp_path / "a.txt").read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("compressed", [False, True])
def test_what_is_read_is_what_was_written_and_nothing_else(compressed):
    arrays = {"a": np.arange(3.0), "b": np.array(["x", "y"]), "n": 2}
    write_arrays(file := io.BytesIO(), arrays, compressed=compressed)
    file.seek(0)
    with np.load(file, allow_pickle=False) as found:
        assert found.files == list(arrays)
        for name, value in arrays.items():
            np.testing.assert_array_equal(found[name], value)


def test_python_objects_are_refused():
    with pytest.raises(ValueError, match="The array 'b' holds Python objects"):
        write_arrays(io.BytesIO(), {"a": [1], "b": np.array([None])})
