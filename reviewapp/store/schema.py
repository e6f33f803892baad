"""The schema of a workspace, as migrations. Append only: a migration that was ever released is never changed.

A file remembers the names of the functions; their order is that of the two older modules, then the one below. New
migrations go to the end of this file. The server's own file has its schema in `server_schema`.
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

from reviewapp.store.block_tables import BLOCK_TABLES
from reviewapp.store.eval_projects import LOOPS as EVAL_LOOPS
from reviewapp.store.eval_projects import TABLE as EVAL_PROJECTS
from reviewapp.store.first_tables import FIRST_TABLES
from reviewapp.store.later_tables import LATER_TABLES
from reviewapp.store.statements import run

WORKSPACE_ID = 0x52564157
"""``application_id`` of a workspace file ("RVAW")."""

workspace_migrations = Migrations("workspace")

for migration in (*FIRST_TABLES, *LATER_TABLES):
    workspace_migrations()(migration)


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


@workspace_migrations()
def blocks_in_tests(db: Database) -> None:
    """Why no block of a workflow's line looked for a property in an input: JSON, property → sentence."""
    run(db, "alter table test_inputs add column passed_over text")
