import pytest
import yaml

from tests.machines.__main__ import CHOICE, main
from tests.machines.settings import CORES, FEW, ROOT, settings


def test_the_weekly_workflow_runs_everything_in_every_setting():
    text = (ROOT / ".github" / "workflows" / "weekly.yml").read_text(encoding="utf-8")
    job = yaml.safe_load(text)["jobs"]["machines"]
    assert job["strategy"]["matrix"]["setting"] == list(settings())
    assert job["steps"][-1]["run"] == (
        'make test-machines SETTINGS="--suite ${{ matrix.setting }}"'
    )


def test_what_is_left_out_is_left_out():
    known = settings()
    assert set(FEW) < set(known)
    assert len([name for name in known if name.startswith("openblas-")]) == len(CORES)
    features = known["numba-no-fma"]["NUMBA_CPU_FEATURES"].split(",")
    left_out = {f for f in features if f.lstrip("+-").startswith(("avx512", "fma"))}
    assert left_out
    assert not [f for f in left_out if f.startswith("+")]
    assert "+sse2" in features
    caches = {v["NUMBA_CACHE_DIR"] for v in known.values() if "NUMBA_CACHE_DIR" in v}
    assert len(caches) == 3


def test_what_is_run_exists_and_a_wrong_name_is_a_sentence():
    assert all((ROOT / path).exists() for path in CHOICE)
    with pytest.raises(SystemExit, match="There is no setting pentium; there are openblas-"):
        main(["pentium"])
