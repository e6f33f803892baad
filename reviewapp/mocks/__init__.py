"""Mocked functions for workloads written in Python.

::

    from reviewapp.mocks import mockable

    @mockable()
    def get_weather(city: str) -> Weather: ...

While an item with a mocking strategy is run (`reviewapp score`, `reviewapp loop`), calls of the function are answered
by the strategy; at any other time the function itself runs.
"""

from reviewapp.mocks.decorator import mockable, mockable_names, mocked
from reviewapp.mocks.plan import MockAnswerError, MocksRefused, Plan, make_plan

__all__ = ["MockAnswerError", "MocksRefused", "Plan", "make_plan", "mockable", "mockable_names", "mocked"]
