"""One call to a provider, through its own library (pydantic-ai): a reply with its tokens, or what went wrong.

All calls of the process share one event loop in a thread of its own, and each provider one connection pool. The
libraries' own retries are off: every request is counted.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
import warnings
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeVar

from reviewapp.domain.choices import ModelName
from reviewapp.errors import InvalidInput
from reviewapp.extraction.models.pace import GivenUp, asked_wait
from reviewapp.extraction.models.providers import Provider
from reviewapp.extraction.models.question import Question

MISSING: Final = "Asking models needs the extra `models`: pip install 'reviewapp[models]'."
_LOOK_SECONDS: Final = 0.1
_SAID: Final = 300
_KEYS: Final = re.compile(r"\b(?:sk|pk|key)-[\w*-]{6,}")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Answered:
    """What came back."""

    text: str
    input_tokens: int
    output_tokens: int
    cut_off: bool = False
    """The reply was longer than it may be."""


class CallFailed(Exception):
    """No reply came."""

    def __init__(
        self,
        message: str,
        *,
        again: bool = False,
        after: float | None = None,
        everywhere: bool = False,
        counts: bool = False,
        no_schema: bool = False,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.again = again
        """Whether the same call may succeed later."""
        self.after = after
        """Seconds the provider asks to wait before."""
        self.everywhere = everywhere
        """Whether every call would end so (key refused, no such model, quota spent)."""
        self.counts = counts
        """Whether the provider may have worked on it, and asks for money."""
        self.no_schema = no_schema
        """The provider takes no JSON Schema."""


class Connection:
    """A provider's model, ready to be asked from any thread."""

    def __init__(self, name: ModelName, provider: Provider) -> None:
        self._name = name
        self._provider = provider
        self._secret = provider.secret()
        self._with_schema = provider.reply_schema
        self._model = _in_loop(_make_model(name.model, provider, self._secret))

    def ask(self, question: Question, gone: Callable[[], bool] = lambda: False) -> Answered:
        """One request, or a second one without a schema where the provider refuses that. Raises CallFailed, GivenUp."""
        with_schema = self._with_schema
        try:
            return self._ask(question, with_schema, gone)
        except CallFailed as failed:
            if not (failed.no_schema and with_schema):
                raise
            self._with_schema = False
            return self._ask(question, False, gone)

    def close(self) -> None:
        """Let go of its connections; a call under way fails."""
        _in_loop(self._model.client.close())

    def _ask(self, question: Question, with_schema: bool, gone: Callable[[], bool]) -> Answered:
        try:
            return _in_loop(self._request(question, with_schema), gone)
        except (CallFailed, GivenUp):
            raise
        except Exception as error:
            raise self._failed(error) from None

    async def _request(self, question: Question, with_schema: bool) -> Answered:
        from pydantic_ai.direct import model_request
        from pydantic_ai.messages import ModelRequest, SystemPromptPart, UserPromptPart
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition

        parameters = ModelRequestParameters()
        if with_schema:
            shape = OutputObjectDefinition(json_schema=question.schema, name="reply", strict=True)
            parameters = ModelRequestParameters(output_mode="native", output_object=shape)
        settings: dict[str, Any] = {"max_tokens": question.output_tokens, "timeout": self._provider.seconds}
        if question.temperature is not None:
            settings["temperature"] = question.temperature
        if self._name.effort is not None:
            settings["thinking"] = self._name.effort
        asked = ModelRequest(parts=[SystemPromptPart(question.system), UserPromptPart(question.user)])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # settings that the model does not take are left out
            said = await model_request(
                self._model,
                [asked],
                model_settings=settings,  # type: ignore[arg-type]
                model_request_parameters=parameters,
            )
        usage = said.usage
        return Answered(_text(said.parts), usage.input_tokens, usage.output_tokens, said.finish_reason == "length")

    def _failed(self, error: Exception) -> CallFailed:
        from pydantic_ai import exceptions as theirs

        words = self._words(error)
        status = getattr(error, "status_code", None)
        provider = self._name.provider
        if isinstance(error, theirs.UserError):  # the library knows of a setting that this model does not take
            return CallFailed(f"{provider}/{self._name.model} cannot be asked so ({words}).", no_schema=True)
        if isinstance(error, theirs.ModelTimeoutError | TimeoutError):
            seconds = self._provider.seconds
            return CallFailed(f"{provider} did not answer within {seconds:g} seconds.", again=True, counts=True)
        if isinstance(error, theirs.ModelConnectionError):
            return CallFailed(f"The connection to {provider} broke off ({words}).", again=True, counts=True)
        if status in (401, 403):
            return CallFailed(f"{provider} refused the key ({status}: {words}).", everywhere=True)
        if isinstance(error, theirs.ModelQuotaExceededError) or status == 402:
            return CallFailed(f"{provider} says that its quota is spent ({words}).", everywhere=True)
        if isinstance(error, theirs.ModelNotFoundError) or status == 404:
            return CallFailed(f"{provider} has no model {self._name.model!r} ({words}).", everywhere=True)
        if status is not None and (status in (408, 409, 425, 429) or status >= 500):
            after = asked_wait(getattr(error, "headers", None))
            return CallFailed(f"{provider} answered {status} ({words}).", again=True, after=after)
        if status is not None:
            schema = status in (400, 422) and bool(re.search(r"response_format|json_schema|output_config", words))
            return CallFailed(f"{provider} refused the call ({status}: {words}).", no_schema=schema)
        return CallFailed(f"{provider}'s answer cannot be understood ({words}).", counts=True)

    def _words(self, error: Exception) -> str:
        """What the error says, on one line, without the key."""
        body = getattr(error, "body", None)
        said: Any = body
        if isinstance(body, dict):
            inner = body.get("error", body)
            said = inner.get("message", inner) if isinstance(inner, dict) else inner
        words = " ".join(str(said if said else error).split())
        if self._secret:
            words = words.replace(self._secret, "…")
        return _KEYS.sub("…", words)[:_SAID]


def _text(parts: Any) -> str:
    """The reply's text; the arguments of a tool call where it was sent as one."""
    texts = [p.content for p in parts if p.part_kind == "text"]
    if "".join(texts).strip():
        return "".join(texts)
    called = [p.args for p in parts if p.part_kind == "tool-call"]
    return "".join(a if isinstance(a, str) else json.dumps(a, ensure_ascii=False) for a in called if a)


async def _make_model(name: str, provider: Provider, secret: str | None) -> Any:
    """In the loop, since the clients belong to it."""
    try:
        if provider.kind == "anthropic":
            from anthropic import AsyncAnthropic
            from pydantic_ai.models.anthropic import AnthropicModel
            from pydantic_ai.providers.anthropic import AnthropicProvider

            client = AsyncAnthropic(api_key=secret or "none", base_url=provider.url, max_retries=0)
            return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=client))
        from openai import AsyncOpenAI
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        caller = AsyncOpenAI(api_key=secret or "none", base_url=provider.url, max_retries=0)
        return OpenAIChatModel(name, provider=OpenAIProvider(openai_client=caller))
    except ModuleNotFoundError as error:
        raise InvalidInput(MISSING, code="models_missing") from error


# -- the event loop --------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="model calls", daemon=True).start()
    return loop


_starting: Final = threading.Lock()


def _in_loop(work: Coroutine[Any, Any, Result], gone: Callable[[], bool] = lambda: False) -> Result:
    """Run it in the loop's thread and wait here; where nobody waits any more it is cancelled and GivenUp raised."""
    with _starting:
        loop = _loop()
    future = asyncio.run_coroutine_threadsafe(work, loop)
    while True:
        try:
            return future.result(_LOOK_SECONDS)
        except NotYet:
            if future.done():
                return future.result()  # it came this moment, or the time that ran out was its own
            if gone():
                future.cancel()
                raise GivenUp from None
        except CancelledError:
            raise GivenUp from None
