import subprocess
import sys

import hitmiss as package


def test_version(hitmiss):
    assert hitmiss("--version").stdout == f"hitmiss {package.__version__}\n"


def test_help_names_every_command_and_option(hitmiss):
    shown = hitmiss("--help").stdout
    commands = ("select", "compare", "stability", "predict", "demo", "datasets", "methods")
    assert all(command in shown for command in commands)
    assert "random numbers" in hitmiss("datasets", "--help").stdout
    for command in commands:
        result = hitmiss(command, "--help")
        assert result.exit_code == 0
        assert "Usage" in result.stdout


def test_no_command_gets_help(hitmiss):
    assert hitmiss().stdout == hitmiss("--help").stdout


def test_help_loads_no_heavy_package():
    code = "import sys, hitmiss.cli.app; print(*{m.partition('.')[0] for m in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "typer" in loaded
    assert loaded.isdisjoint({"joblib", "numba", "numpy", "scipy", "sklearn"})
