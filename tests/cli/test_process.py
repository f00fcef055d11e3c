"""The command as a process: pipes, terminals, full disks."""

import json
import os
import pty
import resource
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-m", "hitmiss.cli"]


def run(*args, **kwargs):
    environment = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "NO_COLOR")}
    options = {"capture_output": True, "text": True, "env": environment, **kwargs}
    return subprocess.run([*COMMAND, *map(str, args)], check=False, **options)


def test_a_pipe_gets_json_without_color_codes(xor_csv):
    done = run("select", xor_csv, "--target", "kind", "--json")
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["selected"]) == 2
    assert "\x1b" not in done.stdout + done.stderr


def test_a_terminal_gets_progress_with_the_time_left(xor_csv):
    controller, terminal = pty.openpty()
    options = ["--methods", "relieff", "--folds", "2", "--json"]
    with os.fdopen(terminal, "w") as stderr:
        command = [*COMMAND, "compare", str(xor_csv), "--target", "kind", *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=stderr, check=True)
        shown = os.read(controller, 100_000).decode()
    os.close(controller)
    assert json.loads(done.stdout)["complete"] is True
    assert "relieff" in shown
    assert "s left" in shown


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def test_a_full_disk_leaves_nothing(xor_csv, tmp_path):
    out = ["--out", tmp_path / "out"]
    done = run("select", xor_csv, "-t", "kind", "-q", *out, preexec_fn=limit_file_size)
    assert done.returncode == 2
    assert done.stderr == "Error: File too large.\n"
    assert list(tmp_path.iterdir()) == [xor_csv]


def unwritable(tmp_path):
    """A folder nobody may write to; root may write to all but those of the kernel."""
    if os.geteuid() == 0:
        return "/sys"
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    return str(folder)


def test_no_permission_to_write_is_said_at_once(hitmiss, xor_csv, tmp_path):
    if not os.path.isdir("/sys"):
        pytest.skip("this system has no /sys")
    result = hitmiss("select", xor_csv, "-t", "kind", "-o", f"{unwritable(tmp_path)}/out")
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert any(word in line for word in ("permitted", "denied", "Read-only"))


def test_without_typer_one_sentence_says_how_to_install_it():
    code = "import sys; sys.modules['typer'] = None; from hitmiss.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        'Error: typer is needed for this; install it with: pip install "hitmiss[cli]".\n'
    )


def test_a_reader_that_has_seen_enough():
    shell = f"{sys.executable} -m hitmiss.cli datasets | head -2"
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert "what it is" in done.stdout
    assert "\x1b" not in done.stdout
