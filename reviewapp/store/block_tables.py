"""The tables of block tests; made by a migration in `schema`."""

BLOCK_TABLES = (
    """create table block_inputs (
        fingerprint text primary key,
        data text not null  -- JSON of HandleInputs
    ) strict, without rowid""",
    """create table block_files (
        fingerprint text primary key,  -- SHA-256 of the content
        filename text not null,
        mime_type text not null,
        content blob not null,
        text text not null  -- what it says, as it was read when it came
    ) strict""",
    """create table block_tests (
        number integer primary key autoincrement,
        id text not null unique,
        workflow text not null,
        block text not null,
        name text,
        source text not null,  -- JSON of Source
        inputs text not null references block_inputs (fingerprint),
        assertion text not null,  -- JSON of Assertion
        schema_dep text,  -- JSON of SchemaDep
        created text not null,
        created_by text not null,
        updated text not null,
        deleted text  -- when; the id stays known as a cursor
    ) strict""",
    "create index block_tests_of_workflow on block_tests (workflow, block, number) where deleted is null",
    """create table block_test_runs (
        number integer primary key autoincrement,
        id text not null unique,
        workflow text not null,
        revision text not null,
        scope text not null,  -- JSON of Scope
        scope_block text,
        scope_test text,
        trigger text not null,
        status text not null check (status in ('pending', 'running', 'completed', 'error', 'cancelled')),
        created text not null,
        created_by text not null,
        started text,
        finished text,
        error text,
        under_way integer  -- number of the test at work
    ) strict""",
    "create index open_block_test_runs on block_test_runs (number) where status in ('pending', 'running')",
    "create index block_test_runs_of_workflow on block_test_runs (workflow, number)",
    """create table block_test_results (
        number integer primary key autoincrement,
        id text not null unique,
        test integer not null references block_tests (number),
        run integer not null references block_test_runs (number),
        lifecycle text not null,
        outcome text,
        execution text not null,  -- fingerprint of inputs, block and draft
        assertion text not null,  -- fingerprint
        block_work text,  -- fingerprint of inputs and block; null: its work is not taken over
        to_reuse integer not null check (to_reuse in (0, 1)),
        data text not null  -- JSON of TestResult
    ) strict""",
    "create index block_test_results_of_test on block_test_results (test, number)",
    "create index block_test_outcomes on block_test_results (test, outcome, number) where outcome is not null",
    """create index block_work on block_test_results (block_work)
        where block_work is not null and lifecycle = 'completed'""",
    """create table block_test_run_tests (
        run integer not null references block_test_runs (number),
        position integer not null,
        test integer not null references block_tests (number),
        result integer references block_test_results (number),
        reused integer not null default 0 check (reused in (0, 1)),
        primary key (run, position)
    ) strict, without rowid""",
    "create index runs_of_block_test on block_test_run_tests (test)",
    "create index runs_of_block_test_result on block_test_run_tests (result) where result is not null",
    """create table workflow_runs (
        number integer primary key autoincrement,
        id text not null unique,
        workflow text not null,
        data text not null  -- JSON of WorkflowRun
    ) strict""",
    "create index workflow_runs_of_workflow on workflow_runs (workflow, number)",
)
