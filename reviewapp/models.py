"""Models that can be asked here: providers and their keys, connections, prices, what a test will cost, trying one."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterable, Iterator
from importlib.util import find_spec

from reviewapp.domain.choices import ModelName, ModelOption, Use
from reviewapp.domain.workflows import ModelExtractor, WorkflowSettings
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.extraction.models.connection import MISSING, Connection
from reviewapp.extraction.models.decide import OUTPUT_TOKENS
from reviewapp.extraction.models.decide import question_of as decide_question
from reviewapp.extraction.models.pace import Pace
from reviewapp.extraction.models.prices import cost_micro_usd, likely_tokens, price_of
from reviewapp.extraction.models.providers import SUGGESTED, Price, Provider, load_providers
from reviewapp.extraction.models.question import Question
from reviewapp.extraction.models.reader import question_of
from reviewapp.settings import load_settings

BYTES_PER_CHARACTER = 1.1
TOKENS_PER_READING = 45
"""A reading in a reply: names, value, a short quote."""
LIKELY_THOUGHT = 0.15
"""Of the most that a model may think; short texts want little."""
TOKENS_PER_JUDGED = 120
"""A value, its quote and the words around in what a judge is shown."""


class Models:
    """The providers of this process with their connections and paces; safe for any thread.

    Connections are there for as long as somebody keeps them open: each question does, and whoever asks many, for the
    time between.
    """

    def __init__(self, providers: dict[str, Provider]) -> None:
        self.providers = providers
        self._lock = threading.Lock()
        self._connections: dict[ModelName, Connection] = {}
        self._paces: dict[str, Pace] = {}
        self._users = 0

    def provider(self, name: ModelName) -> Provider:
        """Raises InvalidInput (``model_choice_unsupported``) for one that is not there."""
        found = self.providers.get(name.provider)
        if found is None:
            there = ", ".join(["embedded", *self.providers])
            key = " Its key is not set." if name.provider in SUGGESTED else ""
            raise InvalidInput(
                f"There is no provider {name.provider!r} here.{key} There are: {there}.",
                code="model_choice_unsupported",
                param="model",
            )
        return found

    def price(self, name: ModelName) -> Price | None:
        """None: not known."""
        return price_of(name.provider, self.provider(name), name.model)

    def missing(self, name: ModelName) -> str | None:
        """What keeps a model from being asked, one sentence; None: nothing. Raises InvalidInput."""
        provider = self.provider(name)
        if any(find_spec(library) is None for library in ("pydantic_ai", provider.kind)):
            return MISSING
        if provider.missing:
            return provider.missing
        if self.price(name) is None:
            return f"No price of {name} is known, so its calls cannot be counted; give it one in the models file."
        return None

    def connection(self, name: ModelName) -> Connection:
        provider = self.provider(name)
        with self._lock:
            if name not in self._connections:
                self._connections[name] = Connection(name, provider)
            return self._connections[name]

    @contextlib.contextmanager
    def kept_open(self) -> Iterator[None]:
        """Connections made meanwhile stay for the next question; the last one to leave closes them."""
        with self._lock:
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                idle = {} if self._users else self._connections
                if idle:
                    self._connections = {}
            for connection in idle.values():
                connection.close()

    def pace(self, name: ModelName) -> Pace:
        provider = self.provider(name)
        with self._lock:
            if name.provider not in self._paces:
                self._paces[name.provider] = Pace(provider.calls_at_once, provider.calls_per_minute)
            return self._paces[name.provider]


def models() -> Models:
    """What can be asked now; made anew when the models file or a key in the environment changes.

    Raises InvalidInput.
    """
    path = load_settings().models_file.expanduser()
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        changed = 0
    keys = tuple(os.environ.get(name) for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL"))
    made_of = (str(path), changed, hash(keys))
    with _lock:
        if made_of not in _present:
            settings = load_settings()
            made = Models(load_providers(settings.models_file, outside=settings.data))
            _present.clear()  # whoever asks one of before goes on with it
            _present[made_of] = made
        return _present[made_of]


_lock = threading.Lock()
_present: dict[tuple[str, int, int], Models] = {}
"""The one that is in force, under what it was made of."""


def model_options() -> list[ModelOption]:
    """The models that providers offer, with what they cost and whether they can be asked."""
    here = models()
    found = []
    for provider_name, provider in here.providers.items():
        for model in provider.models:
            name = ModelName(provider=provider_name, model=model.name)
            price, missing = here.price(name), here.missing(name)
            found.append(
                ModelOption(
                    name=name,
                    label=model.label or model.name,
                    available=missing is None,
                    note=missing or "",
                    efforts=model.efforts,
                    input_usd_per_million=None if price is None else float(price.input),
                    output_usd_per_million=None if price is None else float(price.output),
                )
            )
    return found


def check_model(name: ModelName, *, param: str = "model") -> None:
    """Raises InvalidInput (``model_choice_unsupported``) for a model or effort that is not there, Conflict
    (``model_choice_unavailable``) for one that cannot be asked now."""
    here = models()
    provider = here.provider(name)
    efforts = provider.model(name.model).efforts
    if name.effort is not None and name.effort not in efforts:
        expected = f"expected {', '.join(efforts)}" if efforts else "leave it out"
        raise InvalidInput(
            f"{name} takes no effort {name.effort!r}; {expected}.", code="model_choice_unsupported", param=param
        )
    if missing := here.missing(name):
        raise Conflict(f"{name} cannot be asked: {missing}", code="model_choice_unavailable", param=param)


def estimate_micro_usd(settings: WorkflowSettings, characters: Iterable[int]) -> int:
    """What a test on texts of so many characters will cost, likely; 0 where no model is asked."""
    sizes = list(characters)
    total = 0
    choice = settings.extractor
    if isinstance(choice, ModelExtractor) and choice.model is not None:
        question = question_of(settings, choice)
        fixed = likely_tokens(question.system)
        step = choice.part_characters - choice.overlap_characters
        parts = sum(1 + max(0, -(-(size - choice.part_characters) // step)) for size in sizes)
        tokens = parts * fixed + sum(likely_tokens("x" * int(size * BYTES_PER_CHARACTER)) for size in sizes)
        said = min(choice.output_tokens, 20 + TOKENS_PER_READING * len(settings.properties)) + _thought(choice.model)
        total += _cost(choice.model, tokens, parts * said)
    if settings.decide is not None:
        fixed = likely_tokens(decide_question(settings, settings.decide, []).system)
        tokens = len(sizes) * (fixed + TOKENS_PER_JUDGED * len(settings.properties))
        said = min(OUTPUT_TOKENS, 10 + 15 * len(settings.properties)) + _thought(settings.decide)
        total += _cost(settings.decide, tokens, len(sizes) * said)
    return total


def _thought(name: ModelName) -> int:
    """Tokens that a model likely thinks beside its reply."""
    here = models().providers.get(name.provider)
    return 0 if here is None else int(here.thinking_tokens(name) * LIKELY_THOUGHT)


def _cost(name: ModelName, input_tokens: int, output_tokens: int) -> int:
    price = models().price(name)
    return 0 if price is None else cost_micro_usd(price, input_tokens, output_tokens)


TRIAL_SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}


def trial_question(name: ModelName, use: Use = "extract") -> Question:
    """What `calls.try_connection` asks: a few tokens."""
    return Question(
        use, name, "You test a connection.", 'Answer with {"word": "ready"} and nothing else.', TRIAL_SCHEMA, 256
    )
