"""Who may open which page: one row a route. A route without a row is for admins, and fails a test."""

from __future__ import annotations

from typing import Literal

from reviewapp.domain.people import EVERYWHERE, Access, Role
from reviewapp.errors import NotAllowed, NotFound

Rule = Role | Literal["open", "signed-in", "guest"]
"""The least role in the workspace of the address (without one: on the server); ``open``: everybody; ``signed-in``:
whoever signed in; ``guest``: whoever may come to the workspace at all, if only to one test."""

RULES: dict[str, Rule] = {
    "static": "open",
    "sign_in.show": "open",
    "sign_in.check": "open",
    "sign_in.out": "open",
    "sign_in.link": "open",
    "sign_in.follow": "open",
    "language.choose": "open",
    "help.show": "open",
    "accounts.me": "signed-in",
    "accounts.change_password": "signed-in",
    "accounts.sign_out_everywhere": "signed-in",
    "accounts.index": "admin",
    "accounts.add": "admin",
    "accounts.set_role": "admin",
    "accounts.close": "admin",
    "accounts.open": "admin",
    "accounts.reset": "admin",
    "keys.index": "admin",
    "keys.make": "admin",
    "keys.revoke": "admin",
    "trail.index": "admin",
    "trail.export": "admin",
    "backups.index": "admin",
    "backups.make": "admin",
    "backups.bring_back": "admin",
    "trail.of_server": "admin",
    "trail.export_server": "admin",
    "workspaces.start": "signed-in",
    "workspaces.create": "admin",
    "workspaces.show": "viewer",
    "workspaces.sample": "author",
    "people.name": "signed-in",
    "people.save_name": "signed-in",
    "people.index": "admin",
    "people.set_role": "admin",
    "people.invite": "admin",
    "people.revoke": "admin",
    "people.leave_test": "admin",
    "people.show": "guest",
    "records.index": "viewer",
    "records.collection": "viewer",
    "records.record": "viewer",
    "records.picture": "viewer",
    "records.new": "author",
    "records.upload": "author",
    "records.paste": "author",
    "records.delete": "author",
    "eval_sets.index": "viewer",
    "eval_sets.open_": "admin",
    "eval_sets.show": "viewer",
    "eval_sets.change": "admin",
    "eval_sets.allow": "admin",
    "eval_sets.forget": "admin",
    "eval_runs.start": "author",
    "eval_runs.start_loop": "author",
    "eval_runs.show": "viewer",
    "eval_runs.cancel": "author",
    "eval_runs.settle": "author",
    "eval_items.set_": "viewer",
    "eval_items.item": "author",
    "eval_items.save_item": "author",
    "eval_items.remove_item": "author",
    "eval_items.to_dataset": "author",
    "workflows.index": "viewer",
    "workflows.show": "viewer",
    "workflows.revision": "viewer",
    "workflows.new": "author",
    "learning.show": "viewer",
    "learning.learn": "author",
    "workflows.change": "author",
    "workflows.put": "author",
    "workflows.pasting": "author",
    "workflows.paste": "author",
    "workflows.activate": "author",
    "workflows.delete": "author",
    "tests.index": "viewer",
    "tests.new": "author",
    "tests.start": "author",
    "tests.cancel": "author",
    "review.show": "viewer",
    "review.changes": "viewer",
    "review.counts": "viewer",
    "review.reading": "viewer",
    "review.table": "viewer",
    "review.answer": "reviewer",
    "review.undo": "reviewer",
    "review.picture": "viewer",
    "review.redo": "reviewer",
    "tests.again": "author",
    "tests.go_on": "author",
    "review.look": "reviewer",
    "many.show": "reviewer",
    "many.accept": "reviewer",
    "reviewers.show": "viewer",
    "reviewers.assign": "author",
    "reviewers.unassign": "author",
    "reviewers.overlap": "author",
    "reviewers.agreement": "author",
    "reviewers.differ": "author",
    "reviewers.decide": "author",
    "own_keys.index": "signed-in",
    "own_keys.save": "signed-in",
    "review.save": "author",
    "evaluations.index": "viewer",
    "evaluations.new": "author",
    "evaluations.start": "author",
    "evaluations.show": "viewer",
    "evaluations.cancel": "author",
    "evaluations.delete": "author",
    "evaluations.compare": "viewer",
    "evaluations.matrix": "viewer",
    "evaluations.matrix_picture": "viewer",
    "gates.show": "viewer",
    "gates.set_": "author",
    "gates.curve": "viewer",
    "gates.reliability": "viewer",
    "dataset_items.new": "author",
    "dataset_items.change": "author",
    "dataset_items.save": "author",
    "dataset_items.delete": "author",
    "dataset_work.merging": "author",
    "dataset_work.merge": "author",
    "dataset_work.splitting": "author",
    "dataset_work.split": "author",
    "dataset_work.answering": "author",
    "dataset_work.add_answers": "author",
    "dataset_work.duplicates": "viewer",
    "datasets.index": "viewer",
    "datasets.show": "viewer",
    "datasets.export": "viewer",
    "datasets.diff": "viewer",
    "datasets.bring_in": "author",
    "datasets.accept": "author",
    "datasets.download": "viewer",
    "datasets.delete": "author",
    "replays.new": "author",
    "replays.bring_in": "author",
    "calls.index": "viewer",
    "calls.choose": "author",
    "calls.drop": "author",
    "calls.try_": "author",
    "calls.budget": "admin",
    "calls.log": "author",
    "calls.call": "author",
    "calls.export": "author",
    "block_tests.index": "viewer",
    "block_tests.workflow": "viewer",
    "block_tests.new": "author",
    "block_tests.make": "author",
    "block_tests.show": "viewer",
    "block_tests.change": "author",
    "block_tests.capture": "author",
    "block_tests.delete": "author",
    "block_tests.start": "author",
    "block_tests.run": "viewer",
    "block_tests.cancel": "author",
    "block_tests.run_whole": "author",
    "block_tests.steps": "viewer",
    "patterns.index": "signed-in",
}


def is_open(endpoint: str | None) -> bool:
    """Whether everybody may come, signed in or not; an address without a page is nobody's secret."""
    return endpoint is None or RULES.get(endpoint) == "open"


def check(endpoint: str, access: Access, workspace: str | None, test: str | None) -> None:
    """Raise NotAllowed where `access` does not cover the page, NotFound where it must not learn of the workspace."""
    rule = RULES.get(endpoint, "admin")
    if rule == "open" or rule == "signed-in":
        return
    here = workspace or EVERYWHERE
    role = access.role_in(here, test)
    if rule == "guest":
        if role is None and not access.tests_in(here):
            raise NotFound("workspace", here)
        return
    if access.may(rule, here, test):
        return
    if workspace is not None and role is None and not access.tests_in(here):
        raise NotFound("workspace", here)
    raise NotAllowed(refusal(rule, role, workspace))


def refusal(needed: Role, held: Role | None, workspace: str | None) -> str:
    """The sentence for somebody whose role does not cover it."""
    place = "this server" if workspace is None else f"workspace {workspace!r}"
    has = f"yours is {held}" if held else "you have none there"
    return f"This needs the role {needed} in {place}; {has}. Nothing was changed; ask an admin for the role."
