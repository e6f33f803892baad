"""Evaluators of eval-set projects: the thirteen types of the package's dialect and the strict exact match.

Pure: rows in, scores out. `table.TYPES` lists the types, `table.make_evaluator` makes one out of its file's JSON.
"""
