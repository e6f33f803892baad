"""The providers' own libraries, set up so that nothing happens behind the call log.

Their retries are off: every request is counted. Redirects are not followed: a key goes to the address it was given for
and to no other. A reply may not be longer than `REPLY_BYTES`. Whoever makes a model closes its client.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final
from urllib.parse import urlsplit

import httpx2

from reviewapp.extraction.models.faults import REPLY_BYTES, ReplyTooLong
from reviewapp.extraction.models.providers import Provider

_OWN_LIMIT: Final = ("openai.com", "azure.com")
"""Who takes OpenAI's newer name for the most tokens of a reply, and refuses the older one for some models. Others know
the older one, and some of them pass over the newer (Ollama, LM Studio), which leaves a reply without an end."""


def takes_newer_limit(provider: Provider) -> bool:
    """Whether the most tokens of a reply go in ``max_completion_tokens``, else in ``max_tokens``."""
    host = urlsplit(provider.url).hostname or "" if provider.url else "openai.com"
    return any(host == own or host.endswith(f".{own}") for own in _OWN_LIMIT)


async def make_model(name: str, provider: Provider, secret: str | None) -> Any:
    """A pydantic-ai model with a client of its own; in the event loop, to which its sockets belong."""
    if provider.kind == "anthropic":
        from anthropic import AsyncAnthropic
        from anthropic import DefaultAsyncHttpxClient as AnthropicClient
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        claude = AsyncAnthropic(
            api_key=secret or "none", base_url=provider.url, max_retries=0, http_client=AnthropicClient(**_SET_UP)
        )
        return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=claude))
    from openai import AsyncOpenAI
    from openai import DefaultAsyncHttpxClient as OpenAIClient
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    client = AsyncOpenAI(
        api_key=secret or "none", base_url=provider.url, max_retries=0, http_client=OpenAIClient(**_SET_UP)
    )
    return OpenAIChatModel(name, provider=OpenAIProvider(openai_client=client), profile=_UNTOUCHED)


async def _bound(response: httpx2.Response) -> None:
    response.stream = _Bounded(response.stream)


class _Bounded(httpx2.AsyncByteStream):
    """A body that ends with an error when it is too long."""

    def __init__(self, body: Any) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        taken = 0
        async for piece in self._body:
            taken += len(piece)
            if taken > REPLY_BYTES:
                raise ReplyTooLong
            yield piece

    async def aclose(self) -> None:
        await self._body.aclose()


_UNTOUCHED: Final[Any] = {"thinking_tags": ("\0", "\0")}
"""The library would cut a reply at marks of thoughts, also in its strings; `reply_text` knows them."""
_SET_UP: Final[dict[str, Any]] = {
    "follow_redirects": False,
    "event_hooks": {"response": [_bound]},
    "headers": {"Accept-Encoding": "identity"},  # so that the bound is one on what is held in memory
}
