from hitmiss import io


def test_every_suffix_is_in_the_help(hitmiss):
    shown = "".join(hitmiss("select", "--help").stdout.split())
    assert "".join(",".join(io.SUFFIXES).split()) in shown
