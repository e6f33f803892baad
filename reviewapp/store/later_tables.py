"""The next migrations of a workspace: versions, evaluations, replays, reviewers, model calls.

They are never changed; new ones go to `schema`.
"""

from __future__ import annotations

from sqlite_utils import Database

from reviewapp.store.statements import run


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


def trail_is_kept(db: Database) -> None:
    run(
        db,
        "create trigger trail_stays before delete on trail begin select raise(abort, 'the trail is kept'); end",
        "create trigger trail_as_it_was before update on trail begin select raise(abort, 'the trail is kept'); end",
    )


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


LATER_TABLES = (
    answer_counts,
    dataset_versions,
    evaluations,
    trail_is_kept,
    replays,
    several_reviewers,
    model_calls,
)
"""In the order in which they are applied, after the first tables."""
