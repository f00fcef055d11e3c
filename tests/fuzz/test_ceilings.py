import re
import sys

import pytest

from fuzz.ceilings import cells

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is measured by /proc")


def test_a_part_of_the_grid_keeps_to_its_ceilings():
    found = list(cells(stores=["Parquet"], shapes=[(60, 8000)], ceilings=["12MB", "80MB"]))
    assert [str(cell) for cell in found if cell.exceeded] == []
    assert any(cell.refusal for cell in found)
    assert any(cell.peak for cell in found)


def lofe_cells(*ceilings):
    """LOFE on 32 MB of Parquet."""
    shape = (400, 20_000)
    return list(cells(["Parquet"], [shape], list(ceilings), estimators=["LOFE"]))


def test_lofe_keeps_to_its_ceiling_or_names_one_that_it_keeps_to():
    found = lofe_cells("60MB", "80MB", "300MB")
    assert [str(cell) for cell in found if cell.exceeded] == []
    assert found[-1].peak
    (least,) = {re.findall("at least (.*MB)", cell.refusal)[0] for cell in found if cell.refusal}
    (named,) = lofe_cells(least)
    assert named.peak, named.refusal
    assert not named.exceeded, str(named)
