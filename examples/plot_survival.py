"""
Survival: what goes with an early death
=======================================

Of some patients one knows when the event came, of others only that it had not come when they were
last seen. `LOFESurvival` takes both. The data are those of 500 patients after a heart attack
(Worcester Heart Attack Study; Hosmer, Lemeshow and May 2008), from the package scikit-survival.
"""

# %%
# y has the fields event and time, in days. Columns of words or 0 and 1 are taken as they come.
import matplotlib.pyplot as plt
from sksurv.datasets import load_whas500
from sksurv.nonparametric import kaplan_meier_estimator

from hitmiss import LOFESurvival
from hitmiss.metrics import cross_validated_score

X, y = load_whas500()
print(f"{len(y)} patients, of whom {y['fstat'].sum()} died; {X.shape[1]} features")
lofe = LOFESurvival(max_features=3).fit(X, y)
print([X.columns[j] for j in lofe.ranking_[:3]])

# %%
# Heart failure (chf), age and shock (sho). Concordance is the share of pairs of patients of whom it
# is predicted who dies first; guessing has 0.5.
found = cross_validated_score(LOFESurvival(), X, y, 3, verbose=False)
print(f"concordance {found.score:.2f} ± {found.standard_error:.2f}")


# %%
# Who is alive after so many days, of the younger and the older half, and with heart failure or
# without: the curves are Kaplan and Meier's.
def draw(ax, part, label):
    days, alive = kaplan_meier_estimator(y["fstat"][part], y["lenfol"][part])
    ax.step(days, alive, where="post", label=label)


fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), sharey=True, layout="constrained")
old = (X["age"] > X["age"].median()).to_numpy()
ill = (X["chf"].astype(float) == 1).to_numpy()
draw(left, ~old, f"up to {X['age'].median():.0f} years")
draw(left, old, "older")
draw(right, ~ill, "no heart failure")
draw(right, ill, "heart failure")
left.set(ylabel="share alive", ylim=(0, 1))
for ax in (left, right):
    ax.set(xlabel="days")
    ax.legend()
plt.show()
