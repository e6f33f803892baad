"""Whether what a test asserts still fits the block as it is now; pure, made on every reading."""

from __future__ import annotations

from typing import Any, Final

from reviewapp.block_tests.drafts import Draft
from reviewapp.domain.block_tests import BlockTest, Issue, SchemaDep, State
from reviewapp.domain.blocks import FILE_IN, JSON_IN, Block, ExtractBlock, FunctionBlock, Schema, input_handles
from reviewapp.domain.conditions import Assertion
from reviewapp.domain.ids import content_hash
from reviewapp.evals.conditions.paths import parts_of

HASH_DIGITS: Final = 16
_SUB: Final = ("anyOf", "oneOf", "allOf")
_REFERENCES: Final = 20
"""References followed one after the other; a longer chain goes in circles."""


def dep_of(assertion: Assertion, outputs: dict[str, Schema]) -> SchemaDep | None:
    """The schema node that the assertion looks at; None where there is no schema or the path leads nowhere in it."""
    handle = assertion.target.output_handle_id
    schema = outputs.get(handle)
    if not schema:
        return None
    found = node_at(schema, assertion.target.path)
    if found is None:
        return None
    place, node = found
    return SchemaDep(
        output_handle_id=handle,
        schema_path=place,
        subtree_hash=content_hash(node)[:HASH_DIGITS],
        depends_on_root=not assertion.target.path,
    )


def node_at(schema: Schema, path: str | None) -> tuple[str, Any] | None:
    """(where in the schema, the node) for a path of an output; None: it leads nowhere."""
    parts = parts_of(path)
    if parts is None:
        return None
    place: list[str] = []
    node: Any = _followed(schema, schema)
    for part in parts:
        step = _step(schema, node, part)
        if step is None:
            return None
        where, node = step
        place.extend(where)
    return ".".join(place), node


def _step(root: Schema, node: Any, part: str) -> tuple[list[str], Any] | None:
    if node is True or node == {}:
        return [part], {}
    if not isinstance(node, dict):
        return None
    fields = node.get("properties")
    if isinstance(fields, dict) and part in fields:
        return ["properties", part], _followed(root, fields[part])
    if part.isdigit():
        heads = node.get("prefixItems")
        if isinstance(heads, list) and len(part) < 9 and int(part) < len(heads):
            return ["prefixItems", part], _followed(root, heads[int(part)])
        if "items" in node:
            return ["items"], _followed(root, node["items"])
    if isinstance(node.get("additionalProperties"), dict):
        return ["additionalProperties"], _followed(root, node["additionalProperties"])
    for word in _SUB:
        for number, branch in enumerate(node.get(word) or ()):
            step = _step(root, _followed(root, branch), part)
            if step is not None and branch not in (True, {}):
                return [word, str(number), *step[0]], step[1]
    open_object = (
        not fields and node.get("type", "object") == "object" and node.get("additionalProperties") is not False
    )
    return ([part], {}) if open_object and not any(word in node for word in _SUB) else None


def _followed(root: Schema, node: Any) -> Any:
    """The node that a reference within the schema stands for."""
    for _ in range(_REFERENCES):
        reference = node.get("$ref") if isinstance(node, dict) else None
        if not isinstance(reference, str) or not reference.startswith("#"):
            return node
        node = root
        for part in filter(None, reference[1:].split("/")):
            key = part.replace("~1", "/").replace("~0", "~")
            node = node.get(key, {}) if isinstance(node, dict) else {}
    return node


def state(test: BlockTest, draft: Draft | None) -> State:
    """How a test stands to its workflow as it is now (None: it is gone)."""
    block = None if draft is None else draft.block(test.block)
    if draft is None or block is None:
        what = f"workflow {test.workflow!r}" if draft is None else f"block {test.block!r}"
        return _invalid(Issue(code="block_not_found", message=f"There is no {what} any more; delete the test."))
    issues = list(_input_issues(test, block))
    outputs = draft.outputs(block.id)
    handle = test.assertion.target.output_handle_id
    if handle not in outputs:
        gone = f"The block has no output {handle!r}; it declares {', '.join(outputs)}."
        issues.append(Issue(code="output_handle_not_found", message=gone))
        drifted = State(drift="broken", schema_drift="drifted", detail=gone)
    else:
        drifted = _schema_state(test, outputs[handle])
        if drifted.detail is not None:
            issues.append(Issue(code="schema_drift", message=drifted.detail))
        elif (missing := _leads_nowhere(test, outputs[handle])) is not None:
            issues.append(missing)
    grave = any(issue.code in ("output_handle_not_found", "input_handle_not_found") for issue in issues)
    validation = "invalid" if grave else "warning" if issues else "valid"
    return drifted.model_copy(update={"issues": tuple(issues), "validation": validation})


def _invalid(issue: Issue) -> State:
    return State(detail=issue.message, issues=(issue,), validation="invalid")


def _schema_state(test: BlockTest, schema: Schema) -> State:
    dep = test.schema_dep
    if dep is None:
        return State()
    if not schema:
        return State(drift="drifted", schema_drift="drifted", detail="The output has no schema any more; look at it.")
    found = node_at(schema, test.assertion.target.path)
    path = test.assertion.target.path or "the whole output"
    if found is None:
        gone = f"{path!r} is not in the output's schema any more; the test will likely be blocked."
        return State(drift="broken", schema_drift="partial", detail=gone)
    if content_hash(found[1])[:HASH_DIGITS] == dep.subtree_hash:
        return State(drift="valid", schema_drift="none")
    changed = (
        f"The schema of {path!r} changed since the test was made; look at its expected value and capture it again."
    )
    return State(drift="drifted", schema_drift="drifted", detail=changed)


def _leads_nowhere(test: BlockTest, schema: Schema) -> Issue | None:
    if not schema or test.schema_dep is not None:
        return None
    path = test.assertion.target.path
    return Issue(code="path_not_in_schema", message=f"{path!r} is not in the schema of the output.")


def _input_issues(test: BlockTest, block: Block) -> list[Issue]:
    known = set(input_handles(block))
    if not isinstance(block, FunctionBlock):
        known |= {FILE_IN, JSON_IN}
    issues = [
        Issue(
            code="input_handle_not_found",
            message=f"The block has no input {handle!r}; it takes {', '.join(sorted(known))}.",
        )
        for handle in test.inputs
        if handle not in known
    ]
    if not test.inputs and isinstance(block, ExtractBlock):
        issues.append(Issue(code="no_inputs", message="The test has no inputs; the block has nothing to read."))
    for handle, given in test.inputs.items():
        if given.type == "file" and not given.document.gcs_uri.startswith("reviewapp:file/"):
            name = given.document.filename
            issues.append(
                Issue(
                    code="file_not_here", message=f"The content of {name!r} ({handle}) is not here; bring it in again."
                )
            )
    return issues
