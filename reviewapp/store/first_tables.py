"""The first migrations of a workspace: records, workflows, tests, answers, datasets.

They are never changed; new ones go to `schema`.

Texts lie once each under their hash; records, test inputs and dataset items point at them, so that what a test read
and a dataset holds stays as it was when a record changes. A text that nothing points at any more is removed in the
transaction that let go of it.

Tables of a test point at it by its number (small keys); everything outside knows its id.
"""

from __future__ import annotations

from sqlite_utils import Database

from reviewapp.store.statements import run


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


FIRST_TABLES = (
    texts_and_records,
    workflows_and_revisions,
    tests_and_results,
    answers,
    datasets,
    idempotency_keys,
    model_choices,
    trail,
)
"""In the order in which they are applied."""
