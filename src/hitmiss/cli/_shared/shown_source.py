"""The files and columns behind a result, as the report shows them."""

from typing import Any


def shown_source(data: dict[str, Any]) -> dict[str, Any]:
    """Description of the data for a report: the files, and changes made to the columns.

    Parameters
    ----------
    data : dict
        As from `TableFile.description`.

    Returns
    -------
    dict
        Without what was not given.
    """
    shown = {key: data[key] for key in ("file", "sha256")}
    for key in ("target", "time", "event", "groups", "strata", "covariates", "nominal"):
        if data.get(key):
            shown[key] = data[key] if isinstance(data[key], str) else ", ".join(data[key])
    done = {"samples": "names_of_samples", "drop": "left_out"}
    for key, label in done.items():
        if data.get(key):
            shown[label] = data[key] if isinstance(data[key], str) else ", ".join(data[key])
    if str(data.get("missing", "")).startswith("drop-"):
        shown["missing"] = data["missing"]
    if data.get("n_missing"):
        shown["missing_values"] = data["n_missing"]
    second = data.get("metadata")
    if second is not None:
        shown["metadata"] = second["file"]
        shown["metadata_sha256"] = second["sha256"]
        shown["samples_matched"] = f"{second['n_matched']:,} by column {second['names']!r}"
        shown["samples_without_metadata"] = second["n_only_in_table"]
        shown["metadata_without_a_sample"] = second["n_only_in_metadata"]
    return shown
