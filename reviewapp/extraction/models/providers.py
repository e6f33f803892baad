"""Who there is to ask: OpenAI and Anthropic by their keys in the environment, and what the models file names.

The models file (docs/models.md) is TOML and lies outside the data folder. Keys come from the environment, from a file
of their own, or from the models file; they are never written, shown or logged (`SecretStr`).
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from ipaddress import ip_address
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator

from reviewapp.domain.base import Model
from reviewapp.domain.choices import ModelName
from reviewapp.errors import InvalidInput

THINKING_TOKENS: Final = {"minimal": 1_024, "low": 2_048, "medium": 10_240, "high": 16_384}
"""What a model may think at an effort, beside its reply: what the library asks Anthropic for, or a little more."""
MOST_THINKING_TOKENS: Final = 32_768
"""At an effort of another name."""
EFFORTS: Final = tuple(THINKING_TOKENS)


class Price(Model):
    """US dollars per million tokens."""

    input: Decimal = Field(ge=0)
    output: Decimal = Field(ge=0)


class OfferedModel(Model):
    """A model of a provider."""

    name: str = Field(min_length=1, max_length=200)
    label: str = ""
    efforts: tuple[str, ...] = ()
    """How hard it may think; empty: it is not told."""
    price: Price | None = None


class Provider(Model):
    """Somebody who answers questions at an address."""

    kind: Literal["openai", "anthropic"] = "openai"
    """The protocol; most local servers (Ollama, vLLM, LM Studio) speak OpenAI's."""
    url: str | None = None
    """None: the provider's own address."""
    key: SecretStr | None = None
    key_env: str | None = None
    """The environment variable that holds the key."""
    key_file: Path | None = None
    models: tuple[OfferedModel, ...] = ()
    price: Price | None = None
    """Of all its models that have none of their own; None: the published one."""
    reply_schema: bool = True
    """Whether replies are asked for by JSON Schema; one that refuses it is asked in words from then on."""
    seconds: float = Field(default=120, gt=0, le=3_600)
    """How long to wait for a reply."""
    calls_at_once: int = Field(default=16, ge=1, le=256)
    calls_per_minute: int | None = Field(default=None, ge=1)

    @field_validator("models", mode="before")
    @classmethod
    def _bare_names(cls, said: object) -> object:
        return [{"name": m} if isinstance(m, str) else m for m in said] if isinstance(said, list) else said

    @field_validator("url")
    @classmethod
    def _is_an_address(cls, said: str | None) -> str | None:
        if said is not None and urlsplit(said).scheme not in ("http", "https"):
            raise ValueError(f"found {said!r}, expected an address that begins with http:// or https://")
        return said

    def secret(self) -> str | None:
        """The key; None where none is set."""
        if self.key is not None:
            return self.key.get_secret_value()
        if self.key_env and os.environ.get(self.key_env):
            return os.environ[self.key_env]
        if self.key_file is not None:
            try:
                return self.key_file.expanduser().read_text(encoding="utf-8").strip() or None
            except OSError:
                return None
        return None

    @property
    def is_near(self) -> bool:
        """Whether its address is this machine's or a private one, where nobody is paid."""
        if self.url is None:
            return False
        host = urlsplit(self.url).hostname or ""
        if host == "localhost" or host.endswith((".local", ".internal", ".lan")) or "." not in host.strip("[]"):
            return True
        try:
            return ip_address(host).is_private
        except ValueError:
            return False

    @property
    def missing(self) -> str | None:
        """What keeps it from being asked, one sentence; None: nothing."""
        if self.secret() is None and not self.is_near:
            if self.key_env:
                return f"There is no key; set {self.key_env}."
            return "There is no key; name key_env or key_file in the models file."
        return None

    def thinking_tokens(self, name: ModelName) -> int:
        """Most tokens that a model thinks beside its reply, and that are paid as such; OpenAI's think unasked."""
        if name.effort is not None:
            return THINKING_TOKENS.get(name.effort, MOST_THINKING_TOKENS)
        return THINKING_TOKENS["medium"] if self.kind == "openai" and self.model(name.model).efforts else 0

    def model(self, name: str) -> OfferedModel:
        """The model of that name; one that is not listed has nothing of its own."""
        return next((m for m in self.models if m.name == name), OfferedModel(name=name))


SUGGESTED: Final[dict[str, tuple[str, ...]]] = {
    "openai": ("gpt-5-mini", "gpt-5", "gpt-4.1-mini"),
    "anthropic": ("claude-haiku-4-5", "claude-sonnet-4-5"),
}
"""Models offered of the two providers where the models file names none; any other name can be chosen as well."""


def built_in(name: str) -> Provider:
    variable = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}[name]
    thinks = {"gpt-5", "gpt-5-mini", "claude-sonnet-4-5", "claude-haiku-4-5"}
    models = [OfferedModel(name=m, efforts=EFFORTS if m in thinks else ()) for m in SUGGESTED[name]]
    return Provider(kind="openai" if name == "openai" else "anthropic", key_env=variable, models=tuple(models))


def load_providers(path: Path | None, *, outside: Path | None = None) -> dict[str, Provider]:
    """Providers by name: the two built-in ones, as far as their keys are set, and those of the models file.

    `outside`: the data folder, in which the file must not lie. Raises InvalidInput with the file's faults.
    """
    found = {name: provider for name in SUGGESTED if (provider := built_in(name)).secret() is not None}
    path = None if path is None else path.expanduser()
    if path is None or not path.is_file():
        return found
    if outside is not None and path.resolve().is_relative_to(outside.resolve()):
        raise InvalidInput(
            f"The models file {path.name} lies in the data folder, which is copied and backed up; its keys would go "
            "along. Move it elsewhere and name it in REVIEWAPP_MODELS_FILE.",
            param="models_file",
        )
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidInput(f"{path.name} cannot be read as TOML: {error}.", param="models_file") from None
    return found | _named(document, path.name)


def _named(document: Mapping[str, object], file: str) -> dict[str, Provider]:
    said = document.get("providers", {})
    strange = sorted(set(document) - {"providers"})
    if strange or not isinstance(said, dict):
        raise InvalidInput(f"{file}: found {strange or said!r}, expected tables [providers.NAME].", param="models_file")
    found = {}
    for name, fields in said.items():
        base = built_in(name).model_dump(exclude_defaults=True) if name in SUGGESTED else {}
        try:
            found[name] = Provider.model_validate({**base, **fields} if isinstance(fields, dict) else fields)
        except ValidationError as error:
            first = error.errors(include_input=False)[0]  # what stands there may be a key
            field = ".".join(map(str, first["loc"]))
            raise InvalidInput(f"{file}, providers.{name}, {field}: {first['msg']}.", param="models_file") from None
    return found
