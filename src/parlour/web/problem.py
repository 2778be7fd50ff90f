"""Every error as a problem document (RFC 9457), or as a page where a person is looking."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.types import Send

from parlour.table.problems import Problem

log = logging.getLogger("parlour.web")
MEDIA_TYPE = "application/problem+json"
ABOUT = "about:blank#"


class ProblemDocument(msgspec.Struct, omit_defaults=True, kw_only=True):
    """What went wrong: RFC 9457, with the rule clause, the step and the newest view where they help."""

    type: str
    title: str
    status: int
    detail: str
    clause: str = ""
    model: msgspec.Raw | None = None


def _wants_page(path: str, accept: str) -> bool:
    return not path.startswith("/api") and "text/html" in accept


def document_of(error: Exception) -> tuple[ProblemDocument, dict[str, str]]:
    """What is said of a request that failed, and the headers that go with it."""
    headers: dict[str, str] = {}
    model: msgspec.Raw | None = None
    clause = ""
    if isinstance(error, Problem):
        status, kind, title, detail, clause = error.status, error.kind, error.title, error.detail, error.clause
        model = error.more.get("model")
        if status >= 500:
            log.error("a fault: %s", detail, exc_info=error.__cause__)
    elif isinstance(error, HTTPException):
        status = error.status_code
        title = HTTPStatus(status).phrase
        kind = title.lower().replace(" ", "-")
        detail = _sentence(error)
        headers = {name: value for name, value in (error.headers or {}).items() if name.lower() != "content-type"}
    elif isinstance(error, RecursionError):  # the decoder's way of refusing a body that is nested too deeply
        status, kind, title = 400, "bad-request", "Bad Request"
        detail = "The request is nested too deeply."
    else:
        log.exception("unexpected", exc_info=error)
        status, kind, title = 500, "fault", "Something is wrong on our side"
        detail = "The server failed on this request. Nothing was changed by it."
    document = ProblemDocument(type=ABOUT + kind, title=title, status=status, detail=detail, clause=clause, model=model)
    return document, headers


def answer_to(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """The answer to a request that failed."""
    document, headers = document_of(error)
    if _wants_page(request.url.path, request.headers.get("accept", "")):
        from parlour.web import render
        from parlour.web.desk import csrf_of

        html = render.error(document.status, document.title, document.detail, document.clause, csrf_of(request))
        return Response(html, status_code=document.status, media_type="text/html", headers=headers)
    headers["cache-control"] = "no-store"
    return Response(msgspec.json.encode(document), status_code=document.status, media_type=MEDIA_TYPE, headers=headers)


def _sentence(error: HTTPException) -> str:
    status = error.status_code
    if status == 404:
        return "There is nothing at this address."
    if status == 405:
        return "This address does not take such a request."
    if status == 413:
        return "The request is too large."
    if "truncated" in (error.detail or ""):  # the decoder says so of both
        return "The JSON ends too early, or a text in it has half of a surrogate pair."
    extra = error.extra if isinstance(error.extra, list) else []
    if any(item.get("message") == repr(item.get("key")) for item in extra if isinstance(item, dict)):
        return "The request has no body; it is to be JSON."
    said = [f"{item.get('key')}: {item.get('message')}" for item in extra if isinstance(item, dict) and item.get("key")]
    return "; ".join(said) + "." if said else (error.detail or "This request cannot be read.").rstrip(".") + "."


async def problem_answer(send: Send, status: int, kind: str, detail: str, headers: dict[str, str]) -> None:
    """A problem document, sent before the app has seen the request."""
    document = ProblemDocument(type=ABOUT + kind, title=HTTPStatus(status).phrase, status=status, detail=detail)
    await send_document(send, document, headers)


async def send_document(send: Send, document: ProblemDocument, headers: dict[str, str]) -> None:
    """A problem document as the answer."""
    body = msgspec.json.encode(document)
    pairs = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
    pairs += [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": document.status, "headers": pairs})
    await send({"type": "http.response.body", "body": body, "more_body": False})
