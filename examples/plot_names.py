"""
Tables in, names out
====================

Every estimator takes pandas and polars frames, remembers the names of the columns, and gives them
back. Labels may be of any type.
"""

# %%
import pandas as pd
import polars as pl
from sklearn.datasets import load_wine

from hitmiss import LOFE, Ensemble, ReliefF

wine = load_wine(as_frame=True)
X = wine.data
y = wine.target.map({0: "barolo", 1: "grignolino", 2: "barbera"})
lofe = LOFE().fit(X, y)
lofe.get_feature_names_out()

# %%
# A table of all features, the best first:
table = pd.DataFrame(
    {"weight": lofe.weights_, "score": lofe.scores_}, index=lofe.feature_names_in_
).iloc[lofe.ranking_]
table.round(2)

# %%
# The reduced data as a frame, here of polars:
frame = pl.from_pandas(X)
lofe.set_output(transform="polars").fit(frame, y).transform(frame).head(3)

# %%
# How often each feature is among the best five when the samples vary a little:
ensemble = Ensemble(ReliefF(), max_features=5, random_state=0).fit(X, y)
frequency = pd.Series(ensemble.selection_frequency_, index=X.columns)
axes = frequency.sort_values().plot.barh(xlabel="share of the ensemble that selects it")
axes.figure.set_layout_engine("constrained")
