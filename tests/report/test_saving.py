from sklearn.datasets import load_wine

from hitmiss import LOFE, report

X, Y = load_wine(return_X_y=True, as_frame=True)


def test_one_call_writes_the_whole_report_with_the_names_of_the_frame(tmp_path):
    lofe = LOFE().fit(X, Y)
    path = report.save(lofe, X, Y, tmp_path / "wine.html", title="Wine & more")
    assert path == tmp_path / "wine.html"
    assert path.read_text(encoding="utf-8") == report.render(
        report.summarize(lofe, X, Y, title="Wine & more")
    )
    assert all(name in path.read_text(encoding="utf-8") for name in lofe.get_feature_names_out())
