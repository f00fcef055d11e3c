import subprocess
import sys

from benchmarks import against

# Three runs that are timed, each of which writes when it begins and when it ends.
CODE = """
import sys, time
path = sys.argv[1]
for _ in range(3):
    print("READY", flush=True)
    sys.stdin.readline()
    for word in ("begins", "ends"):
        with open(path, "a") as file:
            file.write(word + "\\n")
        time.sleep(0.02)
print("ROWS[]", flush=True)
"""


def test_only_one_tree_works_at_a_time(tmp_path, monkeypatch):
    path = tmp_path / "events"

    def started(name, tree, size):
        command = [sys.executable, "-c", CODE, str(path)]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    monkeypatch.setattr(against, "started", started)
    assert against.in_turn("lofe", ("here", "there"), "quick") == [[], []]
    assert path.read_text().split() == 6 * ["begins", "ends"]
