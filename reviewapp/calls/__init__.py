"""Calls to models: where questions are asked, what was called, what it cost, what may be spent."""

from reviewapp.calls.budgets import budgets, check_budget, set_budget, spending
from reviewapp.calls.desk import CallDesk, Ending, asks_models
from reviewapp.calls.log import every_call, get_call, list_calls
from reviewapp.calls.once import read_once, try_connection

__all__ = [
    "CallDesk",
    "Ending",
    "asks_models",
    "budgets",
    "check_budget",
    "every_call",
    "get_call",
    "list_calls",
    "read_once",
    "set_budget",
    "spending",
    "try_connection",
]
