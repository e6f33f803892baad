"""One call to a provider, through its own library (pydantic-ai): a reply with its tokens, or what went wrong."""

from __future__ import annotations

import asyncio
import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from reviewapp.domain.choices import ModelName
from reviewapp.errors import InvalidInput
from reviewapp.extraction.models.faults import CallFailed, fault_of, without_keys
from reviewapp.extraction.models.loop import in_loop
from reviewapp.extraction.models.pace import GivenUp
from reviewapp.extraction.models.providers import Provider
from reviewapp.extraction.models.question import Question

MISSING: Final = "Asking models needs the extra `models`: pip install 'reviewapp[models]'."
TOKENS_LIMIT: Final = 100_000_000
"""More tokens of one call than this are no count."""


@dataclass(frozen=True)
class Answered:
    """What came back."""

    text: str
    tokens: tuple[int, int] | None
    """Of question and reply; None: the provider did not say."""
    cut_off: bool = False
    """The reply was longer than it may be."""
    refused: str | None = None
    """The model's words where it would not answer; empty: without a word."""


@dataclass(frozen=True)
class _Manner:
    """How a provider takes a question; where it refuses one manner it is asked in another from then on."""

    with_schema: bool
    newer_limit: bool


class Connection:
    """A provider's model, ready to be asked from any thread; `close` it at the end."""

    def __init__(self, name: ModelName, provider: Provider) -> None:
        """Raises InvalidInput where the libraries are not installed."""
        try:
            from reviewapp.extraction.models.clients import make_model, takes_newer_limit

            self._secret = provider.secret()
            self._model = in_loop(make_model(name.model, provider, self._secret))
        except ModuleNotFoundError as error:
            raise InvalidInput(MISSING, code="models_missing") from error
        self._name = name
        self._provider = provider
        self._manner = _Manner(provider.reply_schema, takes_newer_limit(provider))

    def ask(self, question: Question, gone: Callable[[], bool] = lambda: False) -> Answered:
        """One request, or another one where the provider refuses how it was asked. Raises CallFailed, GivenUp."""
        manner = self._manner
        tried = {manner}
        while True:
            try:
                answered = self._ask(question, manner, gone)
            except CallFailed as failed:
                with_schema = manner.with_schema and not failed.no_schema
                manner = _Manner(with_schema, manner.newer_limit != failed.other_limit)
                if manner in tried:
                    raise
                tried.add(manner)
            else:
                self._manner = manner
                return answered

    def close(self) -> None:
        """Let go of its sockets; a call under way fails."""
        in_loop(self._model.client.close())

    def _ask(self, question: Question, manner: _Manner, gone: Callable[[], bool]) -> Answered:
        try:
            return in_loop(self._request(question, manner), gone)
        except GivenUp:
            raise
        except Exception as error:
            raise fault_of(error, self._name, seconds=self._provider.seconds, secret=self._secret) from None

    async def _request(self, question: Question, manner: _Manner) -> Answered:
        from pydantic_ai.direct import model_request
        from pydantic_ai.messages import ModelRequest, SystemPromptPart, UserPromptPart
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition

        parameters = ModelRequestParameters()
        if manner.with_schema:
            shape = OutputObjectDefinition(json_schema=question.schema, name="reply", strict=True)
            parameters = ModelRequestParameters(output_mode="native", output_object=shape)
        asked = ModelRequest(parts=[SystemPromptPart(question.system), UserPromptPart(question.user)])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # settings that the model does not take are left out
            async with asyncio.timeout(self._provider.seconds):  # the library's own is for each piece that arrives
                said = await model_request(
                    self._model,
                    [asked],
                    model_settings=self._settings(question, manner),  # type: ignore[arg-type]
                    model_request_parameters=parameters,
                )
        return self._answered(said)

    def _settings(self, question: Question, manner: _Manner) -> dict[str, Any]:
        effort = self._name.effort
        most = question.output_tokens + self._provider.thinking_tokens(self._name)
        settings: dict[str, Any] = {"timeout": self._provider.seconds}
        if manner.newer_limit or self._provider.kind == "anthropic":
            settings |= {"max_tokens": most} | ({"thinking": effort} if effort else {})
        else:  # what the library does not know such a model to take, it would leave out
            settings["extra_body"] = {"max_tokens": most} | ({"reasoning_effort": effort} if effort else {})
        if question.temperature is not None and not (effort and self._provider.kind == "anthropic"):
            settings["temperature"] = question.temperature  # Anthropic's take none while they think
        return settings

    def _answered(self, said: Any) -> Answered:
        tokens = (said.usage.input_tokens, said.usage.output_tokens)
        known = 0 < tokens[0] <= TOKENS_LIMIT and 0 <= tokens[1] <= TOKENS_LIMIT
        text = without_keys(_text(said.parts), self._secret)
        refused = None
        if said.finish_reason == "content_filter":
            refused = without_keys(str((said.provider_details or {}).get("refusal") or ""), self._secret)
        return Answered(text, tokens if known else None, said.finish_reason == "length", refused)


def _text(parts: Any) -> str:
    """The reply's text, and behind it the arguments of a tool call where there is one."""
    said = [p.content for p in parts if p.part_kind == "text"]
    called = [p.args for p in parts if p.part_kind == "tool-call" and p.args]
    given = [a if isinstance(a, str) else json.dumps(a, ensure_ascii=False) for a in called]
    return "\n".join(["".join(said), *given] if said else given)
