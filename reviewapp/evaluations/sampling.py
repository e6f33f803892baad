"""Which records of a workflow's collection to answer next, and what the answers so far can tell."""

from __future__ import annotations

from collections import Counter

from reviewapp.answers import answers_of_inputs, standing_answers
from reviewapp.domain.saving import read_for
from reviewapp.domain.workflows import WorkflowSettings
from reviewapp.evals.sampling import Candidate, Knowledge, Pick, Words, choose, knowledge, uncertainty, words_of
from reviewapp.evaluations.gates import was_right
from reviewapp.records import list_records
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_inputs, list_tests
from reviewapp.workflows import get_workflow

LOOKED_AT = 5_000
"""Most records that are looked through."""
MOST_TESTS = 20
PIECE = 200
NOT_READ = 0.5
"""How uncertain a record is that no test has read."""


class _Seen:
    """What the tests of a workflow know of its records."""

    def __init__(self, workspace: Workspace, workflow: str, settings: WorkflowSettings) -> None:
        self.uncertain: dict[str, float] = {}
        """By text hash, of the latest test that read it."""
        self.answered: set[str] = set()
        """Hashes of texts with an answer that stands."""
        self.disputed: set[str] = set()
        self.counts: dict[str, Counter[bool]] = {}
        """By property: standing answers on values that were read, right or not."""
        for test in list_tests(workspace, workflow=workflow, limit=MOST_TESTS):
            after = -1
            while inputs := get_inputs(workspace, test.id, after=after, limit=PIECE):
                first, after = inputs[0].position, inputs[-1].position
                given = answers_of_inputs(workspace, test.id, first, after)
                for input in inputs:
                    if input.result is None or input.text_hash is None or input.result.failed or input.result.error:
                        continue
                    supports = [(v.property, v.support) for v in input.result.values if v.support is not None]
                    near = uncertainty((support, settings.gate_of(name)) for name, support in supports)
                    self.uncertain.setdefault(input.text_hash, near)
                    for name, standing in standing_answers(test, input, given.get(input.position, {})).items():
                        if standing.state == "disputed":
                            self.disputed.add(input.text_hash)
                        if standing.answer is None:
                            continue
                        self.answered.add(input.text_hash)
                        read = read_for(name, input.result.values)
                        right = None if read is None else was_right(read, standing.answer)
                        if right is not None:
                            self.counts.setdefault(name, Counter())[right] += 1


def suggest_records(workspace: Workspace, workflow: str, count: int = 20) -> list[Pick]:
    """The records (`Pick.key` is the IRI) most worth an answer, best first: with values near the gate, disputed, unlike
    the texts answered already and unlike each other. Start a test with them.

    Looks at the first 5,000 records. Raises NotFound.
    """
    active = get_workflow(workspace, workflow).active
    seen = _Seen(workspace, workflow, active.settings)
    candidates: list[Candidate] = []
    known: dict[str, Words] = {}
    after = None
    looked = 0
    while looked < LOOKED_AT:
        rows = list_records(workspace, active.settings.collection, after=after, limit=min(PIECE, LOOKED_AT - looked))
        if not rows:
            break
        after = rows[-1].iri
        looked += len(rows)
        for row in rows:
            digest = workspace.records.text_hash(row.iri)
            text = None if digest is None else workspace.records.text(digest)
            if digest is None or not text or not text.strip():
                continue
            words = words_of(text)
            disputed = digest in seen.disputed
            if digest in seen.answered and not disputed:
                known[digest] = words
            else:
                candidates.append(Candidate(row.iri, words, seen.uncertain.get(digest, NOT_READ), disputed))
    return choose(candidates, known.values(), count)


def what_is_known(workspace: Workspace, workflow: str) -> list[Knowledge]:
    """Per property of the revision in use: how many of the values read were right, and how many more answers would
    make that exact to ± 5 %. Raises NotFound."""
    settings = get_workflow(workspace, workflow).active.settings
    seen = _Seen(workspace, workflow, settings)
    counts = {prop.name: seen.counts.get(prop.name, Counter()) for prop in settings.properties}
    return [knowledge(name, c[True], c.total()) for name, c in counts.items()]
