"""The reader that is a language model."""

from __future__ import annotations

from dataclasses import replace

from reviewapp.domain.tests import Reading
from reviewapp.domain.workflows import Evidence, ModelExtractor, WorkflowSettings
from reviewapp.extraction.extractors import ExtractorFailed, Reply
from reviewapp.extraction.models.parts import merged, parts_of
from reviewapp.extraction.models.prompt import REPLY_SCHEMA, instructions, marked
from reviewapp.extraction.models.question import Desk, NoReply, Question
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.reply_text import read_reply


class ModelReader:
    """Asks a model for every text, long ones part by part. Without a desk it cannot read."""

    def __init__(self, choice: ModelExtractor, desk: Desk | None = None) -> None:
        self._choice = choice
        self._desk = desk

    def at(self, desk: Desk) -> ModelReader:
        """The same reader, asking at this desk."""
        return ModelReader(self._choice, desk)

    def read(self, prepared: PreparedText, settings: WorkflowSettings, evidence: Evidence) -> Reply:  # noqa: ARG002
        """What the model says of its own certainty is not listened to. Raises ExtractorFailed, ReaderStopped."""
        if self._desk is None:
            raise ExtractorFailed("A model reads only where its calls are counted; start a test or try it on a text.")
        blank = question_of(settings, self._choice)
        read = []
        try:
            for part in parts_of(prepared.text, self._choice.part_characters, self._choice.overlap_characters):
                question = replace(blank, user=marked(part.text))

                def readings(reply: str) -> tuple[Reading, ...]:
                    return read_reply(reply, settings.properties)

                read.append((part, self._desk.ask(question, readings)))
        except NoReply as error:
            raise ExtractorFailed(error.message, raw=error.raw) from None
        return Reply(readings=merged(read), calibrated=False)


def question_of(settings: WorkflowSettings, choice: ModelExtractor) -> Question:
    """What every text of a test is asked, without the text. Raises ExtractorFailed where no model is chosen."""
    if choice.model is None:
        raise ExtractorFailed("No model is chosen for this workflow; choose one with `reviewapp model choose`.")
    return Question(
        use="extract",
        model=choice.model,
        system=instructions(settings, choice),
        user="",
        schema=REPLY_SCHEMA,
        output_tokens=choice.output_tokens,
        temperature=choice.temperature,
        tries=choice.tries,
    )
