from __future__ import annotations

import pytest

from reviewapp.errors import InvalidInput
from reviewapp.origins import needs_sign_in
from reviewapp.settings import load_settings


@pytest.mark.parametrize(
    "url",
    [
        "review.example/rev",  # without a scheme it has no host: once that meant that nobody had to sign in
        "review.example",
        "//review.example",
        "http://",
        "https:///rev",
        "javascript:alert(1)",
        "ftp://review.example",
        "https://ann:secret@review.example",
        "https://review.example/rev?x=1",
        "https://review.example/#top",
        "https://review.example:port",
        "https://[::1",
        "https://review.example/a b",
    ],
)
def test_a_public_address_is_a_whole_one(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("REVIEWAPP_PUBLIC_URL", url)
    with pytest.raises(InvalidInput) as refused:
        load_settings()
    assert refused.value.message.startswith(f"REVIEWAPP_PUBLIC_URL is {url!r}; expected: the whole address, such as ")


@pytest.mark.parametrize(
    ("url", "signs_in"),
    [
        ("https://review.example/rev", True),
        ("http://review.example:8080", True),
        ("http://10.0.0.5/", True),
        ("http://localhost:8000/rev", False),
        ("http://[::1]:8000", False),
        ("", False),
    ],
)
def test_beyond_loopback_it_means_sign_in(monkeypatch: pytest.MonkeyPatch, url: str, signs_in: bool) -> None:
    monkeypatch.setenv("REVIEWAPP_PUBLIC_URL", url)
    assert needs_sign_in(load_settings()) == signs_in


@pytest.mark.parametrize("proxy", ["nginx", "10.0.0.0/24", "127.0.0.1:80", "10.0.0"])
def test_the_proxy_that_is_trusted_is_one_address(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("REVIEWAPP_SSO_PROXY", proxy)
    with pytest.raises(InvalidInput, match="the IP address that the proxy comes from"):
        load_settings()


@pytest.mark.parametrize("header", ["", "X_Forwarded_User", "X Forwarded", "Cookie", "authorization", "Host", "Ä"])
def test_its_header_is_one_that_arrives(monkeypatch: pytest.MonkeyPatch, header: str) -> None:
    monkeypatch.setenv("REVIEWAPP_SSO_HEADER", header)
    with pytest.raises(InvalidInput, match="a header of its own"):
        load_settings()


def test_what_does_not_fit_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVIEWAPP_PORT", "high")
    with pytest.raises(InvalidInput, match=r"^REVIEWAPP_PORT is 'high'; expected: a whole number."):
        load_settings()
