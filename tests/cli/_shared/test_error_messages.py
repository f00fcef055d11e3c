"""Whatever is wrong: exit code 2, one sentence, nothing written."""

import pytest

from tests.cli.conftest import assert_one_sentence


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["selct"], "No such command 'selct'"),
        (["--color"], "No such option: --color; see hitmiss --help."),
        (["select"], "Missing argument 'FILE'; see hitmiss select --help."),
        (["select", "a.csv", "b.csv"], "; see hitmiss select --help."),
        (["select", "a.csv", "--targt", "kind"], "No such option: --targt"),
        (["select", "a.csv", "--target"], "'--target' requires an argument; see hitmiss"),
        (["select", "a.csv", "--seed", "one"], "Invalid value for '--seed': "),
        (["compare", "a.csv", "--folds", "1"], "Invalid value for '--folds': "),
        (["stability", "a.csv", "--subsamples", "1"], "Invalid value for '--subsamples': "),
        (["predict", "model.npz"], "Missing argument 'FILE'; see hitmiss predict --help."),
        (
            ["predict", "m", "a.csv", "--missing", "drop-features"],
            "Invalid value for '--missing': ",
        ),
        (["datasets", "xor"], "Say where to write it with --out, such as --out xor.csv."),
        (["datasets", "xor", "--n-samples", "0"], "Invalid value for '--n-samples': "),
        (["methods", "lofe", "--set", "a=1"], "No such option: --set"),
    ],
)
def test_wrong_usage(hitmiss, args, sentence):
    assert_one_sentence(hitmiss(*args), sentence)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--method", "lofee"], "There is no method 'lofee'; did you mean 'lofe'?"),
        (["--set", "sigmb=1"], "lofe has no parameter 'sigmb'; did you mean 'sigma'?"),
        (["--set", "sigma"], "Write a setting as name=value, not 'sigma'."),
        (["--set", "sigma=-1"], "sigma must be a positive number; got -1."),
        (["--set", "sigma=wide"], "sigma must be a positive number or 'auto'; got 'wide'."),
        (["--set", "max_features=99"], "max_features=99 is more than the 2 features"),
        (["--drop", "c"], "There is no column 'c'"),
        (["--samples", "c"], "There is no column 'c'"),
        (["--transpose"], "There is no row 'kind'"),
    ],
)
def test_wrong_options(hitmiss, good, tmp_path, options, sentence):
    result = hitmiss(
        "select", "--quick", good, "-t", "kind", "-q", "-o", tmp_path / "out", *options
    )
    assert_one_sentence(result, sentence)
    assert list(tmp_path.iterdir()) == [good]
