"""What calls cost, in millionths of a US dollar, rounded up: what was said to be spent is never less than it was."""

from __future__ import annotations

from decimal import ROUND_CEILING, Decimal
from functools import lru_cache
from typing import Final

from reviewapp.extraction.models.providers import Price, Provider

FREE: Final = Price(input=Decimal(0), output=Decimal(0))
LIKELY_BYTES_PER_TOKEN: Final = 3.6
"""UTF-8 bytes of prose per token: about 4 in English, fewer in other languages and in numbers."""
FEWEST_BYTES_PER_TOKEN: Final = 2.0
"""No common tokenizer makes more tokens of a text than this allows."""


def price_of(name: str, provider: Provider, model: str) -> Price | None:
    """Its own price, its provider's, the published one (genai-prices), nothing for an address nearby; None: unknown."""
    own = provider.model(model).price or provider.price
    if own is not None:
        return own
    if provider.is_near:
        return FREE
    return published(provider.kind if provider.url is None else name, provider.url, model)


@lru_cache(maxsize=256)
def published(provider: str, url: str | None, model: str) -> Price | None:
    """What genai-prices knows of a model, for short requests; None: nothing, or it is not installed."""
    try:
        from genai_prices import Usage, calc_price
    except ModuleNotFoundError:
        return None

    def per_million(usage: Usage) -> Decimal:
        where = {"provider_id": provider} if url is None else {"provider_api_url": url}
        return calc_price(usage, model, **where).total_price * 1_000  # type: ignore[no-any-return, call-overload]

    try:
        return Price(input=per_million(Usage(input_tokens=1_000)), output=per_million(Usage(output_tokens=1_000)))
    except (LookupError, ValueError):
        return None


def cost_micro_usd(price: Price, input_tokens: int, output_tokens: int) -> int:
    """Dollars per million tokens are micro-dollars per token."""
    return int((price.input * input_tokens + price.output * output_tokens).to_integral_value(ROUND_CEILING))


def likely_tokens(text: str) -> int:
    return round(len(text.encode()) / LIKELY_BYTES_PER_TOKEN) + 1


def most_tokens(text: str) -> int:
    return round(len(text.encode()) / FEWEST_BYTES_PER_TOKEN) + 50
