"""A processor is told apart from others, also on a virtual machine that hides its name."""

import pytest

from benchmarks import machine
from benchmarks.machine import described

INTEL = """processor\t: 0
vendor_id\t: GenuineIntel
cpu family\t: 6
model\t\t: 143
model name\t: Intel(R) Xeon(R) Processor
stepping\t: 8
flags\t\t: fpu sse2 avx avx2 avx512f avx512_fp16

processor\t: 1
model\t\t: 85
"""
AMD = """processor\t: 0
cpu family\t: 25
model\t\t: 1
model name\t: AMD EPYC
stepping\t: 1
flags\t\t: fpu sse2 avx avx2
power management:
"""
ARM = """processor\t: 0
Features\t: fp asimd sve
CPU implementer\t: 0x41
CPU part\t: 0xd40
CPU revision\t: 1
"""


@pytest.mark.parametrize(
    ("info", "llvm", "n_cores", "text"),
    [
        (
            *(INTEL, "sapphirerapids", 2),
            "Intel Xeon (sapphirerapids, family 6 model 143 stepping 8, AVX-512), 2 cores",
        ),
        (AMD, "znver3", 64, "AMD EPYC (znver3, family 25 model 1 stepping 1, AVX2), 64 cores"),
        (
            *(ARM, "neoverse-v1", 1),
            "arm (neoverse-v1, implementer 0x41 part 0xd40 revision 1, SVE), 1 core",
        ),
        ("", "apple-m1", 8, "arm (apple-m1), 8 cores"),
    ],
)
def test_a_processor_is_one_readable_line(info, llvm, n_cores, text):
    assert described(info, llvm, n_cores, "arm") == text


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz", "Intel Xeon Platinum 8481C"),
        ("AMD EPYC 9R45 96-Core Processor", "AMD EPYC 9R45 96-Core"),
    ],
)
def test_a_name_is_kept_without_its_decoration(name, short):
    assert described(f"model name : {name}", "znver5", 2, "") == f"{short} (znver5), 2 cores"


def test_two_that_share_a_name_differ():
    other = AMD.replace("family\t: 25", "family\t: 26")
    assert described(AMD, "znver4", 2, "") != described(other, "znver4", 2, "")


def test_the_line_of_a_section_has_date_processor_and_commit():
    date, rest = machine.machine().split(", ", 1)
    assert rest.startswith(f"{machine.cpu()}, Python 3.")
    assert (len(date), machine.revision() in rest) == (10, True)


def test_without_git_or_a_repository_nothing_is_said(monkeypatch, tmp_path):
    assert machine.git("rev-parse", "HEAD", folder=tmp_path) == ""
    monkeypatch.setattr(machine.shutil, "which", lambda name: None)
    assert machine.git("--version") == ""
