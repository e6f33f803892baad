"""The schema of a workspace, as migrations. Append only: a migration that was ever released is never changed.

Texts lie once each under their hash; records, test inputs and dataset items point at them, so that what a test read
and a dataset holds stays as it was when a record changes. A text that nothing points at any more is removed in the
transaction that let go of it.

Tables of a test point at it by its number (small keys); everything outside knows its id. The server's own file has its
schema in `server_schema`.
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

from reviewapp.store.block_tables import BLOCK_TABLES
from reviewapp.store.eval_projects import LOOPS as EVAL_LOOPS
from reviewapp.store.eval_projects import TABLE as EVAL_PROJECTS

WORKSPACE_ID = 0x52564157
"""``application_id`` of a workspace file ("RVAW")."""

workspace_migrations = Migrations("workspace")


def run(db: Database, *statements: str) -> None:
    for statement in statements:
        db.conn.execute(statement)


@workspace_migrations()
def texts_and_records(db: Database) -> None:
    run(
        db,
        """create table texts (
            hash text primary key,
            text text not null,
            characters integer not null,
            blank integer not null check (blank in (0, 1))  -- nothing but white space
        ) strict""",
        """create table collections (
            name text primary key,
            properties text not null,  -- JSON list of Property
            created text not null,
            created_by text not null
        ) strict""",
        """create table records (
            iri text primary key,
            collection text not null references collections (name),
            name text not null,
            text_hash text not null references texts (hash),
            source text,
            decimal_comma integer not null,
            decimal_point integer not null,
            day_first integer not null,
            month_first integer not null,
            created text not null,
            created_by text not null,
            changed text not null
        ) strict""",
        "create index records_of_collection on records (collection, iri)",
        "create index records_of_text on records (text_hash)",
        # Keyed by the text as well: a test on an older text still shows the pages of that text.
        """create table documents (
            iri text not null,
            text_hash text not null,
            file blob,
            page_count integer not null,
            primary key (iri, text_hash)
        ) strict""",
        """create table pages (
            iri text not null,
            text_hash text not null,
            number integer not null,
            data text not null,  -- JSON of Page
            primary key (iri, text_hash, number),
            foreign key (iri, text_hash) references documents (iri, text_hash) on delete cascade
        ) strict""",
    )


@workspace_migrations()
def workflows_and_revisions(db: Database) -> None:
    run(
        db,
        """create table workflows (
            name text primary key,
            collection text not null references collections (name),
            active text not null,
            created text not null,
            created_by text not null,
            paused integer not null default 0 check (paused in (0, 1)),
            deleted text  -- when; its revisions and history stay
        ) strict""",
        """create table revisions (
            id text primary key,
            workflow text not null references workflows (name),
            number integer not null,
            settings text not null,  -- JSON of WorkflowSettings
            created text not null,
            created_by text not null,
            note text not null,
            unique (workflow, number)
        ) strict""",
        """create table activations (
            workflow text not null references workflows (name),
            number integer not null,
            revision text not null references revisions (id),
            action text not null check (action in ('create', 'change', 'activate', 'existing')),
            at text not null,
            person text not null,
            previous text,
            primary key (workflow, number)
        ) strict""",
    )


@workspace_migrations()
def tests_and_results(db: Database) -> None:
    run(
        db,
        """create table tests (
            number integer primary key,
            id text not null unique,
            workflow text not null,
            revision text,
            settings text not null,  -- JSON of WorkflowSettings
            evidence text not null,  -- JSON of Evidence
            fingerprint text not null,
            status text not null check (status in ('queued', 'running', 'done', 'failed', 'cancelled')),
            created text not null,
            created_by text not null,
            started text,
            finished text,
            error text,
            estimate_micro_usd integer not null,
            overlap integer not null check (overlap >= 1),
            version integer not null,
            input_count integer not null,
            -- running sums over the results, written with each of them
            inputs_done integer not null default 0,
            inputs_read integer not null default 0,
            inputs_failed integer not null default 0,
            passed integer not null default 0,
            review integer not null default 0,
            dropped integer not null default 0,
            no_value integer not null default 0,
            cost_micro_usd integer not null default 0
        ) strict""",
        "create unique index one_open_test on tests (workflow) where status in ('queued', 'running')",
        "create index open_tests on tests (number) where status in ('queued', 'running')",
        "create index tests_of_workflow on tests (workflow, number)",
        """create table test_inputs (
            test integer not null references tests (number),
            position integer not null,
            iri text not null,
            label text not null,
            text_hash text references texts (hash),
            state text not null check (state in ('queued', 'read', 'failed', 'error')),
            failed text,
            error text,
            raw text,
            milliseconds real not null default 0,
            cost_micro_usd integer not null default 0,
            no_value integer not null default 0,
            primary key (test, position),
            unique (test, iri)
        ) strict""",
        "create index inputs_of_text on test_inputs (text_hash)",
        "create index queued_inputs on test_inputs (test, position) where state = 'queued'",
        """create table test_values (
            test integer not null,
            position integer not null,
            seq integer not null,  -- in the order they were read
            property text not null,
            outcome text not null,
            support real,
            data text not null,  -- JSON of ReadValue
            primary key (test, position, seq),
            foreign key (test, position) references test_inputs (test, position)
        ) strict, without rowid""",
        "create index values_by_outcome on test_values (test, outcome, position)",
        "create index values_by_property on test_values (test, property, position, outcome, support)",
    )


@workspace_migrations()
def answers(db: Database) -> None:
    run(
        db,
        """create table answers (
            id integer primary key autoincrement,
            test integer not null,
            position integer not null,
            property text not null,
            person text not null,
            at text not null,
            decision text check (decision in ('accept', 'correct', 'reject', 'cant_tell')),
            value text,  -- JSON
            quote text,
            spans text not null,  -- JSON
            note text not null,
            seen integer not null,
            text_hash text,
            role text not null check (role in ('reviewer', 'adjudicator')),
            undoes integer references answers (id),
            foreign key (test, position) references test_inputs (test, position)
        ) strict""",
        "create index answers_of_value on answers (test, position, property, id)",
        "create index answers_of_person on answers (test, person, id)",
        "create trigger answers_stay before delete on answers begin select raise(abort, 'answers are kept'); end",
        "create trigger answers_as_given before update on answers begin select raise(abort, 'answers are kept'); end",
        # What of it counts now: every person's answer in force. Follows from `answers`, written with each of them.
        """create table answers_in_force (
            test integer not null,
            position integer not null,
            property text not null,
            person text not null,
            answer integer not null references answers (id),
            primary key (test, position, property, person)
        ) strict, without rowid""",
        "create index answers_in_force_of_person on answers_in_force (test, person, position)",
    )


@workspace_migrations()
def datasets(db: Database) -> None:
    run(
        db,
        """create table datasets (
            number integer primary key autoincrement,
            id text not null unique,
            name text not null,
            created text not null,
            created_by text not null,
            changed text not null,
            about text not null,  -- JSON
            install text not null,  -- JSON of Install
            test text references tests (id),
            version integer not null,
            deleted text  -- when; the id stays known
        ) strict""",
        "create unique index one_dataset_of_test on datasets (test) where deleted is null",
        """create table dataset_items (
            dataset integer not null references datasets (number),
            position integer not null,
            name text not null,
            by_hand integer not null check (by_hand in (0, 1)),
            text_hash text not null references texts (hash),
            data text not null,  -- JSON of Item without its text
            primary key (dataset, position),
            unique (dataset, name)
        ) strict""",
        "create index items_of_text on dataset_items (text_hash)",
    )


@workspace_migrations()
def idempotency_keys(db: Database) -> None:
    run(
        db,
        """create table idempotency_keys (
            scope text not null,  -- method and path
            key text not null,
            fingerprint text not null,  -- hash of the request
            answer text not null,  -- JSON
            at text not null,
            primary key (scope, key)
        ) strict, without rowid""",
        "create index idempotency_keys_by_age on idempotency_keys (at)",
    )


@workspace_migrations()
def model_choices(db: Database) -> None:
    run(
        db,
        """create table model_choices (
            workflow text not null,  -- empty: the whole workspace
            use text not null check (use in ('extract', 'decide', 'embed')),
            model text not null,  -- JSON of ModelName
            previous text,
            person text not null,
            since text not null,
            created text not null,
            primary key (workflow, use)
        ) strict, without rowid""",
    )


@workspace_migrations()
def trail(db: Database) -> None:
    run(
        db,
        """create table trail (
            id integer primary key autoincrement,
            at text not null,
            person text not null,
            did text not null,  -- delete record, cancel test …
            subject text not null  -- its id or name
        ) strict""",
    )


@workspace_migrations()
def answer_counts(db: Database) -> None:
    """How many answers are in force; follows from `answers_in_force`, written with each of them."""
    run(
        db,
        """create table answer_counts (
            test integer not null,
            person text not null,  -- '' for values that anybody has answered
            property text not null,
            count integer not null check (count >= 0),
            primary key (test, person, property)
        ) strict, without rowid""",
        """insert into answer_counts (test, person, property, count)
            select test, person, property, count(*) from answers_in_force group by test, person, property""",
        """insert into answer_counts (test, person, property, count)
            select test, '', property, count(distinct position) from answers_in_force group by test, property""",
    )


@workspace_migrations()
def dataset_versions(db: Database) -> None:
    """Every version stays: rows that a change replaces move to `past_items`; nothing is copied that did not change."""
    run(
        db,
        "alter table dataset_items add column since integer not null default 1",  # version
        "update dataset_items set since = (select version from datasets where number = dataset_items.dataset)",
        """create table past_items (
            dataset integer not null references datasets (number),
            since integer not null,
            until integer not null,  -- the first version without it
            position integer not null,
            name text not null,
            by_hand integer not null check (by_hand in (0, 1)),
            text_hash text not null references texts (hash),
            data text not null,
            primary key (dataset, position, since)
        ) strict""",
        "create index past_items_of_text on past_items (text_hash)",
        """create table dataset_versions (
            dataset integer not null references datasets (number),
            version integer not null,
            at text not null,
            person text not null,
            note text not null,
            item_count integer not null,
            primary key (dataset, version)
        ) strict, without rowid""",
        """insert into dataset_versions (dataset, version, at, person, note, item_count)
            select number, version, changed, created_by, '', (select count(*) from dataset_items where dataset = number)
            from datasets where deleted is null""",
    )


@workspace_migrations()
def evaluations(db: Database) -> None:
    """Runs of the evaluation kernel. Results are written once each, an ended run never changes."""
    run(
        db,
        """create table evaluations (
            number integer primary key autoincrement,
            id text not null unique,
            header text not null,  -- JSON of Header
            kind text not null,
            dataset text,  -- id, for runs that grade one
            status text not null check (status in ('queued', 'running', 'done', 'failed', 'cancelled')),
            created text not null,
            created_by text not null,
            started text,
            finished text,
            error text,
            case_count integer not null,
            -- running sums over the results, written with them
            cases_done integer not null default 0,
            cases_failed integer not null default 0,
            cases_reused integer not null default 0,
            milliseconds real not null default 0,
            cost_micro_usd integer not null default 0,
            summary text  -- JSON
        ) strict""",
        "create index open_evaluations on evaluations (number) where status in ('queued', 'running')",
        "create index evaluations_of_dataset on evaluations (dataset, number)",
        """create table evaluation_results (
            evaluation integer not null references evaluations (number),
            position integer not null,
            name text not null,
            inputs text,  -- fingerprint
            lowest real not null,
            execution text not null,  -- JSON of Execution
            fingerprint text,  -- of the execution
            reused integer not null check (reused in (0, 1)),
            primary key (evaluation, position)
        ) strict""",
        "create index results_by_inputs on evaluation_results (evaluation, inputs)",
        "create index executions_to_reuse on evaluation_results (fingerprint) where fingerprint is not null",
        """create table evaluation_scores (
            evaluation integer not null,
            position integer not null,
            evaluator text not null,
            data text not null,  -- JSON of Score
            fingerprint text,
            primary key (evaluation, position, evaluator),
            foreign key (evaluation, position) references evaluation_results (evaluation, position)
        ) strict""",
        "create index scores_to_reuse on evaluation_scores (fingerprint) where fingerprint is not null",
    )


@workspace_migrations()
def trail_is_kept(db: Database) -> None:
    run(
        db,
        "create trigger trail_stays before delete on trail begin select raise(abort, 'the trail is kept'); end",
        "create trigger trail_as_it_was before update on trail begin select raise(abort, 'the trail is kept'); end",
    )


@workspace_migrations()
def replays(db: Database) -> None:
    """What other systems read, brought in as files."""
    run(
        db,
        """create table replays (
            id text primary key,  -- a hash of what is in it
            source text not null,
            created text not null,
            created_by text not null
        ) strict""",
        """create table replay_readings (
            replay text not null references replays (id),
            iri text not null,
            readings text not null,  -- JSON list of Reading
            primary key (replay, iri)
        ) strict, without rowid""",
    )


@workspace_migrations()
def several_reviewers(db: Database) -> None:
    """Who is asked what, who looked twice, what is in dispute, and what was answered many at once."""
    run(
        db,
        "alter table answers add column batch text",  # the same for all that one step answered; undone together
        "create index answers_of_batch on answers (batch) where batch is not null",
        """create table assignments (
            test integer not null,
            position integer not null,
            person text not null,
            primary key (test, position, person),
            foreign key (test, position) references test_inputs (test, position)
        ) strict, without rowid""",
        "create index assignments_of_person on assignments (person, test, position)",
        # Values of tests with an overlap above 1 on which enough people answered and do not agree. Follows from
        # `answers`, written with each of them.
        """create table disputed_values (
            test integer not null,
            position integer not null,
            property text not null,
            primary key (test, position, property)
        ) strict, without rowid""",
        """create table looks (
            id integer primary key autoincrement,
            test integer not null,
            position integer not null,
            property text not null,
            answer integer not null unique references answers (id),
            person text not null,
            at text not null,
            verdict text not null check (verdict in ('confirm', 'send_back')),
            note text not null,
            foreign key (test, position) references test_inputs (test, position)
        ) strict""",
        "create index looks_of_value on looks (test, position, property)",
        # Weakest first: what failed a check has no support and comes before it.
        """create index values_by_support on test_values (test, coalesce(support, -1), position, property)
            where outcome not in ('duplicate', 'unknown_property')""",
    )


@workspace_migrations()
def model_calls(db: Database) -> None:
    """Every call to a model, and what may be spent in a month."""
    run(
        db,
        """create table calls (
            id integer primary key autoincrement,
            key text not null,  -- a hash of model, prompt and text: equal for the same call
            at text not null,
            month text not null,  -- 2026-11, UTC
            route text not null,
            scope text not null check (scope in ('test', 'trial', 'check')),
            workflow text not null,  -- empty: of none
            test text,
            position integer,
            use text not null,
            provider text not null,
            model text not null,
            effort text,
            status text not null check (status in ('open', 'answered', 'unreadable', 'failed', 'from_log')),
            reserved_micro_usd integer not null,
            input_tokens integer not null default 0,
            output_tokens integer not null default 0,
            cost_micro_usd integer not null default 0,
            milliseconds real not null default 0,
            reply text,
            error text,
            source integer references calls (id)
        ) strict""",
        "create index answered_calls on calls (key) where status = 'answered'",
        "create index open_calls on calls (workflow) where status = 'open'",
        "create index calls_of_input on calls (test, position) where test is not null",
        "create table spending (month text not null, workflow text not null, micro_usd integer not null, "
        "primary key (month, workflow)) strict, without rowid",
        """create table budgets (
            workflow text primary key,  -- empty: the whole workspace
            micro_usd integer not null check (micro_usd >= 0),
            person text not null,
            since text not null
        ) strict, without rowid""",
    )


@workspace_migrations()
def block_tests(db: Database) -> None:
    """Block tests, their runs and results, and runs of whole workflows."""
    run(db, *BLOCK_TABLES)


@workspace_migrations()
def trail_of_what_is_made(db: Database) -> None:
    """Tests, revisions in use and versions of datasets are noted by the file itself, whatever makes them."""
    run(
        db,
        """create trigger trail_of_tests after insert on tests begin
            insert into trail (at, person, did, subject) values (new.created, new.created_by, 'start test', new.id);
        end""",
        """create trigger trail_of_activations after insert on activations begin
            insert into trail (at, person, did, subject) values (new.at, new.person,
                case new.action when 'existing' then 'change' else new.action end || ' workflow', new.workflow);
        end""",
        """create trigger trail_of_datasets after insert on dataset_versions begin
            insert into trail (at, person, did, subject) select new.at, new.person, 'save dataset', id
                from datasets where number = new.dataset;
        end""",
    )


@workspace_migrations()
def taken_over(db: Database) -> None:
    """Answers that repeat what an earlier test's answer said of the same text."""
    run(
        db,
        """create table taken_over (
            answer integer primary key references answers (id),
            source integer not null references answers (id)
        ) strict""",
    )


@workspace_migrations()
def eval_projects(db: Database) -> None:
    """Eval-set projects that the workspace knows."""
    run(db, EVAL_PROJECTS)


@workspace_migrations()
def stopped_tests(db: Database) -> None:
    """Tests that could read no more for a reason that people can mend, and can be gone on with."""
    run(db, "alter table tests add column stopped integer not null default 0 check (stopped in (0, 1))")


@workspace_migrations()
def eval_loops(db: Database) -> None:
    """Loops of eval-set projects."""
    run(db, *EVAL_LOOPS)


@workspace_migrations()
def trail_of_choices_and_runs(db: Database) -> None:
    """Chosen models (where texts go, what they cost), evaluations and runs of block tests are noted, too."""
    chose = """begin
            insert into trail (at, person, did, subject) values (new.since, new.person,
                'choose model for ' || new.use,
                iif(new.workflow = '', '', new.workflow || ': ') || json_extract(new.model, '$.provider') || '/'
                || json_extract(new.model, '$.model'));
        end"""
    run(
        db,
        f"create trigger trail_of_choices after insert on model_choices {chose}",
        f"create trigger trail_of_changed_choices after update on model_choices {chose}",
        """create trigger trail_of_evaluations after insert on evaluations begin
            insert into trail (at, person, did, subject)
                values (new.created, new.created_by, 'start evaluation', new.id);
        end""",
        """create trigger trail_of_block_tests after insert on block_test_runs begin
            insert into trail (at, person, did, subject)
                values (new.created, new.created_by, 'run block tests', new.id);
        end""",
    )
