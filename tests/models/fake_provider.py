"""A local HTTP server that speaks the OpenAI and the Anthropic wire: scripted replies, delays and faults.

Run as a program (``python -m tests.models.fake_provider --delay 0.1``) it prints its address and answers every question
with the widths that it finds.
"""

from __future__ import annotations

import argparse
import json
import re
import socket
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal


@dataclass(frozen=True)
class Step:
    """What one request gets."""

    text: str = '{"readings": []}'
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    """Seconds before the answer."""
    tokens: tuple[int, int] = (80, 20)
    cut: bool = False
    """Close the connection in the middle of the body."""
    trickle: float = 0.0
    """Seconds between the characters of the body."""
    body: str | None = None
    """Instead of a proper answer."""
    finish: str = "stop"
    refusal: str | None = None
    """The model will not answer, with these words (Anthropic's protocol has none)."""
    tool: str | None = None
    """Arguments of a tool call behind the text."""
    usage: dict[str, int] | Literal["tokens"] | None = "tokens"
    """What an OpenAI answer says of its tokens; ``tokens``: those above; None: nothing."""


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    at: float
    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """All that was said, system and user."""
        return json.dumps(self.body, ensure_ascii=False)


def width_reading(text: str) -> str:
    """What a good model would say of ``Width: 600 mm``, as it stands between the marks."""
    found = re.search(r"Width: (\d+ mm)", text)
    readings = [{"property": "width", "value": found[1], "quote": found[0]}] if found else []
    return json.dumps({"readings": readings})


class FakeProvider:
    """Starts at once on a free port; `close` it."""

    def __init__(self, *, delay: float = 0.0) -> None:
        self.asked: list[Asked] = []
        self.in_flight = 0
        self.most_in_flight = 0
        self.connected = 0
        """Connections that are open."""
        self._delay = delay
        self._lock = threading.Lock()
        self._scripts: list[tuple[str, deque[Step]]] = []
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle(self) -> None:
                provider._connected(1)
                try:
                    super().handle()
                finally:
                    provider._connected(-1)

            def do_POST(self) -> None:
                provider._answer(self)

            def log_message(self, *args: Any) -> None:
                """Nothing on stderr."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *args: Any) -> None:
                """A client that goes away is no news."""

        self._server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        """For Anthropic; OpenAI's has ``/v1`` behind it."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def script(self, words: str, *steps: Step | str) -> None:
        """What requests that hold these words get, one after the other; the last step stays."""
        made = [Step(text=s) if isinstance(s, str) else s for s in steps]
        self._scripts.insert(0, (words, deque(made)))

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _connected(self, more: int) -> None:
        with self._lock:
            self.connected += more

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        body = json.loads(request.rfile.read(int(request.headers["content-length"])))
        asked = Asked(time.monotonic(), request.path, {k.lower(): v for k, v in request.headers.items()}, body)
        with self._lock:
            self.asked.append(asked)
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
            step = self._step(asked)
        try:
            time.sleep(step.delay)
            self._send(request, asked, step)
        finally:
            with self._lock:
                self.in_flight -= 1

    def _step(self, asked: Asked) -> Step:
        for words, steps in self._scripts:
            if words in asked.text:
                return steps.popleft() if len(steps) > 1 else steps[0]
        return Step(text=width_reading(asked.text), delay=self._delay)

    def _send(self, request: BaseHTTPRequestHandler, asked: Asked, step: Step) -> None:
        if step.body is not None:
            said = step.body
        elif step.status != 200:
            said = json.dumps({"error": {"message": step.text, "type": "some_error", "code": None}, "type": "error"})
        elif asked.path.endswith("/messages"):
            said = json.dumps(_anthropic(asked.body, step))
        else:
            said = json.dumps(_openai(asked.body, step))
        data = said.encode()
        headers = {"content-type": "application/json", "content-length": str(len(data)), **step.headers}
        head = f"HTTP/1.1 {step.status} OK\r\n" + "".join(f"{k}: {v}\r\n" for k, v in headers.items()) + "\r\n"
        if step.trickle:
            request.wfile.write(head.encode())
            for at in range(len(data)):
                request.wfile.write(data[at : at + 1])
                time.sleep(step.trickle)
        elif step.cut:
            request.wfile.write(head.encode() + data[: len(data) // 2])
            request.wfile.flush()
            request.connection.shutdown(socket.SHUT_RDWR)
            request.close_connection = True
        else:
            request.wfile.write(head.encode() + data)


def _openai(body: dict[str, Any], step: Step) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": step.text}
    if step.refusal is not None:
        message |= {"content": None, "refusal": step.refusal}
    if step.tool is not None:
        call = {"id": "call_1", "type": "function", "function": {"name": "reply", "arguments": step.tool}}
        message["tool_calls"] = [call]
    choice = {"index": 0, "finish_reason": "tool_calls" if step.tool else step.finish, "message": message}
    usage = step.usage
    if usage == "tokens":
        usage = {"prompt_tokens": step.tokens[0], "completion_tokens": step.tokens[1], "total_tokens": sum(step.tokens)}
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": body["model"]}
    return {**head, "choices": [choice], **({} if usage is None else {"usage": usage})}


def _anthropic(body: dict[str, Any], step: Step) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": step.text}] if step.text and not step.refusal else []
    if step.tool is not None:
        content.append({"type": "tool_use", "id": "tool_1", "name": "reply", "input": json.loads(step.tool)})
    stopped = {"length": "max_tokens"}.get(step.finish, "end_turn")
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": "refusal" if step.refusal is not None else "tool_use" if step.tool else stopped,
        "stop_sequence": None,
        "usage": {"input_tokens": step.tokens[0], "output_tokens": step.tokens[1]},
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay", type=float, default=0.0)
    provider = FakeProvider(delay=parser.parse_args().delay)
    print(provider.url, flush=True)  # noqa: T201
    threading.Event().wait()


if __name__ == "__main__":
    main()
