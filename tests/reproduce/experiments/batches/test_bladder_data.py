import subprocess

import numpy as np
import pytest

from reproduce.experiments.batches import bladder_data


@pytest.fixture(autouse=True)
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_missing_program_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    expected = "Rscript, apt-get, dpkg-deb not found (Debian: r-base-core, apt, dpkg)"
    assert bladder_data.obstacle() == expected


def test_a_download_that_fails_is_a_reason(monkeypatch):
    def fail(*command, **options):
        raise subprocess.TimeoutExpired("apt-get", 120)

    monkeypatch.setattr(bladder_data.shutil, "which", lambda tool: tool)
    monkeypatch.setattr(bladder_data.subprocess, "run", fail)
    assert bladder_data.obstacle().startswith("r-bioc-bladderbatch could not be downloaded or read")
    assert not bladder_data.cache().exists()


def test_a_program_that_fails_is_quoted_in_a_line(monkeypatch):
    def fail(command, **options):
        raise subprocess.CalledProcessError(1, command, stderr=b"E: one\nE: no such package\n\n")

    monkeypatch.setattr(bladder_data.shutil, "which", lambda tool: tool)
    monkeypatch.setattr(bladder_data.subprocess, "run", fail)
    assert bladder_data.obstacle().endswith("read (apt-get: E: no such package)")


def test_other_data_are_not_read(monkeypatch):
    def unpacked(command, cwd, **options):
        assert command[0] != "Rscript"
        (cwd / bladder_data.DATA).parent.mkdir(parents=True, exist_ok=True)
        (cwd / bladder_data.DATA).write_bytes(b"others")

    monkeypatch.setattr(bladder_data.shutil, "which", lambda tool: tool)
    monkeypatch.setattr(bladder_data.subprocess, "run", unpacked)
    assert bladder_data.obstacle().endswith("(its data are not those of version 1.36.0-1)")


def test_what_is_kept_comes_back(tmp_path):
    (tmp_path / "about").write_text("Cancer 1\nNormal 2\n")
    np.arange(6, dtype=np.float32).tofile(tmp_path / "values")
    bladder_data.keep(tmp_path / "about", tmp_path / "values")
    assert bladder_data.obstacle() == ""
    data = bladder_data.load()
    assert data.X.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert data.kind.tolist() == ["Cancer", "Normal"]
    assert data.batch.tolist() == [1, 2]
    assert [path.name for path in bladder_data.cache().parent.iterdir()] == ["bladderbatch.npz"]
