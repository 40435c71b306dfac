"""Recommendations from your orders, ratings or page views.

    import pmlam

    model = pmlam.train("orders.csv", "products.csv")
    model.recommend(["Kettle", "Toaster"])

Everything runs on this machine, in the program that the package contains; nothing is sent anywhere. Lists are pandas
DataFrames where pandas is installed, and lists of dicts elsewhere.
"""

from __future__ import annotations

from ._command import PmlamError, Stopped
from ._map import Map
from ._model import Explanation, Model, Reason, evaluate, train

__all__ = ["Explanation", "Map", "Model", "PmlamError", "Reason", "Stopped", "evaluate", "train"]
__version__ = "0.0.0"
