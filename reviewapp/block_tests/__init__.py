"""Block tests: freeze the inputs of one block, assert one thing about its output, run it again after every change."""

from reviewapp.block_tests.drafts import Draft, draft_of
from reviewapp.block_tests.keeping import (
    change_test,
    delete_test,
    get_test,
    list_tests,
    make_test,
    recapture,
    state_of,
    states_of,
)
from reviewapp.block_tests.reading import (
    RunFilter,
    count_tests,
    inputs_of,
    latest_results,
    result_place,
    result_rows,
    run_place,
    run_rows,
    test_place,
    test_rows,
)
from reviewapp.block_tests.running import cancel_run, execute_run, get_result, get_run, list_runs, results, start_run
from reviewapp.block_tests.whole_runs import get_workflow_run, list_workflow_runs, run_workflow

__all__ = [
    "Draft",
    "RunFilter",
    "cancel_run",
    "change_test",
    "count_tests",
    "delete_test",
    "draft_of",
    "execute_run",
    "get_result",
    "get_run",
    "get_test",
    "get_workflow_run",
    "inputs_of",
    "latest_results",
    "list_runs",
    "list_tests",
    "list_workflow_runs",
    "make_test",
    "recapture",
    "result_place",
    "result_rows",
    "results",
    "run_place",
    "run_rows",
    "run_workflow",
    "start_run",
    "state_of",
    "states_of",
    "test_place",
    "test_rows",
]
