"""The MCP server, over stdio and over streamable HTTP.

Over stdio whoever started the process is the local person. Over HTTP every call carries a key, in either header;
without keys the server answers this machine only, as the API does.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from reviewapp import __version__
from reviewapp.domain.people import Access, local_access
from reviewapp.keys import authenticate, has_keys
from reviewapp.mcp.calling import Refused, Tool, call_tool
from reviewapp.mcp.tools import INSTRUCTIONS, TOOLS
from reviewapp.origins import is_from_elsewhere, is_loopback, needs_sign_in
from reviewapp.settings import Settings
from reviewapp.workspaces import DataFolder

if TYPE_CHECKING:
    from starlette.applications import Starlette

log = logging.getLogger(__name__)
PATH = "/mcp"
ANSWER_LIMIT = 1_000_000
"""Most characters of an answer; 20 texts of 40,000 fit."""


def make_server(settings: Settings, data: DataFolder, *, key: str | None = None) -> Server[Any]:
    """The server; over stdio `key` says who calls (None: the local person)."""
    by_name = {tool.name: tool for tool in TOOLS}

    async def list_tools(_ctx: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_told(tool) for tool in TOOLS])

    async def call(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = by_name.get(params.name)
        if tool is None:
            return _refusal("tool_not_found", f"There is no tool {params.name!r}; list_tools names all.")
        do = partial(_do, tool, params.arguments or {}, _access_of(settings, data, ctx.request, key), data, settings)
        return await anyio.to_thread.run_sync(do)

    return Server(
        "reviewapp",
        version=__version__,
        title="reviewapp",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call,
    )


def _told(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=f"{tool.description}\n\nNeeds the role {tool.endpoint.role}.",
        input_schema=tool.input_schema,
        annotations=types.ToolAnnotations(
            read_only_hint=tool.reads,
            destructive_hint=tool.endpoint.method == "DELETE",
            open_world_hint=False,
        ),
    )


def _do(
    tool: Tool, arguments: dict[str, Any], who: Access | Refused, data: DataFolder, settings: Settings
) -> types.CallToolResult:
    if isinstance(who, Refused):
        return _refusal(who.code, who.said)
    try:
        answer = call_tool(tool, arguments, who, data, settings)
    except Refused as refused:
        return _refusal(refused.code, refused.said, refused.details)
    except Exception:
        log.exception("The tool %s stopped with an error.", tool.name)
        return _refusal("internal_error", "This is our fault, not yours; the server's log has it.")
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False)
    if len(text) > ANSWER_LIMIT:
        told = f"The answer has {len(text):,} characters, more than an assistant can read"
        return _refusal("answer_too_large", f"{told}; ask for less, or look at it in the browser.")
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], structured_content=answer)


def _refusal(code: str, said: str, details: Any = None) -> types.CallToolResult:
    content: dict[str, Any] = {"code": code, "message": said}
    if details:
        content["details"] = details
    text = json.dumps(content, ensure_ascii=False)
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def _access_of(settings: Settings, data: DataFolder, request: Any, key: str | None) -> Access | Refused:
    """Who calls. `request`: the HTTP request; None over stdio."""
    if request is None:
        secret = key
        is_open = key is None
    else:
        bearer = request.headers.get("authorization", "").partition(" ")
        secret = request.headers.get("api-key") or (bearer[2].strip() if bearer[0].lower() == "bearer" else None)
        remote = request.client.host if request.client else None
        is_open = not (needs_sign_in(settings) or has_keys(data) or is_from_elsewhere(remote, request.headers))
    if is_open:
        return local_access(settings.person)
    found = authenticate(data, secret) if secret else None
    if found is None:
        return Refused(
            "unauthorized", "This server asks for an API key: send `Authorization: Bearer <key>` or `Api-Key`."
        )
    return found.access


def run_stdio(settings: Settings, data: DataFolder, *, key: str | None = None) -> None:
    """Serve one assistant on stdin and stdout until it hangs up."""

    async def serve() -> None:
        server = make_server(settings, data, key=key)
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(serve)


def http_app(settings: Settings, data: DataFolder) -> Starlette:
    """The ASGI app at ``/mcp``. Hosts and origins that are not ours are refused where only this machine is served."""
    security = None
    if not is_loopback(settings.host):
        security = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # keys guard it, not addresses
    app: Starlette = make_server(settings, data).streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        host=settings.host,
        transport_security=security,
    )
    return app


def run_http(settings: Settings, data: DataFolder, *, ready: Callable[[str], None] = print) -> None:
    """Serve assistants over HTTP until SIGTERM or SIGINT."""
    import uvicorn

    config = uvicorn.Config(http_app(settings, data), host=settings.host, port=settings.port, log_level="warning")
    ready(f"http://{settings.host}:{settings.port}{PATH}")
    uvicorn.Server(config).run()
