"""A language model that is asked: side by side, within limits, each answer checked and kept.

Where answers come from is a function from a request to a reply: a model of the ``llm`` package (``live.py``), a file of
batch results (``batch.py``), or none, where requests are only collected to be counted or written.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from marginalia.core.errors import MarginaliaError
from marginalia.core.long_work import pause
from marginalia.nlp.prompting.answer import Answers, read_answer
from marginalia.nlp.prompting.cache import AnswerCache
from marginalia.nlp.prompting.prompt import Entry, Request

PAUSE_SECONDS = 0.2
"""So often other work may go first while a reply is waited for."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back for a request: the text, or an object where a file has one; tokens where they are known."""

    text: str | Mapping[str, Any]
    tokens_in: int | None = None
    tokens_out: int | None = None


Complete = Callable[[Request], Reply]
"""Asks a request; an error of any kind is a failed request, one of ours ends the work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    max_tokens: int | None = None
    """Tokens to send and get in all; no request is sent that could pass them."""
    at_once: int = 4
    """Requests under way at the same time."""
    seconds: float = 120.0
    """How long a reply may take."""
    failures: int | None = 3
    """So many requests in a row without a reply, and the service is taken to be down; None: never."""
    tries: int = 2
    """How often a line is asked about that was not answered as the schema says."""


@dataclass(slots=True)
class Tally:
    """What was asked and what became of it."""

    requests: int = 0
    """Sent, those that were sent again included."""
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    lines: int = 0
    """Lines of all requests, of which ``unanswered`` had no valid answer in the end."""
    unanswered: int = 0
    dropped: int = 0
    """Quotations that are not in the text they were said to come from."""
    fallback: int = 0
    """Items that the shipped system answered instead."""
    stopped: str = ""
    """Why asking ended early, in a few words."""
    failures: dict[str, int] = field(default_factory=dict)
    """What went wrong with requests, how often. No text of an error is kept: it may hold a key."""

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


class LanguageModel:
    """Asks requests and counts. Without ``complete`` it collects them instead."""

    def __init__(
        self,
        name: str,
        complete: Complete | None,
        *,
        options: Mapping[str, Any] | None = None,
        cache: AnswerCache | None = None,
        limits: Limits | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.name, self.complete, self.cache = name, complete, cache
        self.options = dict(options or {})
        self.limits = limits or Limits()
        self.progress = progress
        self.tally = Tally()
        self.prompts: dict[str, str] = {}
        self.collected: list[Request] = []

    def ask(self, requests: Iterable[Request]) -> list[tuple[Entry, Mapping[str, Any]]]:
        """Each line that was answered, in the order of the requests, with its valid answer."""
        asked = {request.key: request for request in requests}
        self.prompts |= {one.prompt.name: one.prompt.version for one in asked.values()}
        self.tally.lines += sum(len(one.entries) for one in asked.values())
        found: dict[Entry, Mapping[str, Any]] = {}
        left = list(asked.values())
        for number in range(self.limits.tries):
            left = self._round(left, found, again=number + 1 < self.limits.tries)
        entries = [entry for request in asked.values() for entry in request.entries]
        answered = [(entry, found[entry]) for entry in entries if entry in found]
        self.tally.unanswered += len(entries) - len(answered)
        return answered

    def _round(
        self, requests: list[Request], found: dict[Entry, Mapping[str, Any]], *, again: bool
    ) -> list[Request]:
        """Ask these, and give back what is to be asked again: the lines without a valid answer."""
        rest, unknown = [], []
        for request in requests:
            answers = self.cache.get(self.name, self.options, request) if self.cache else {}
            if answers:
                self.tally.cached += 1
                rest += _take(request, answers, found)
            else:
                unknown.append(request)
        if self.complete is None:
            self.collected += unknown
            return []
        for done, (request, answers) in enumerate(self._answers(unknown), start=1):
            if answers and self.cache:
                self.cache.put(self.name, self.options, request, answers)
            rest += _take(request, answers, found)
            if self.progress:
                self.progress(done, len(unknown))
        return rest if again and not self.tally.stopped else []

    def _answers(self, requests: list[Request]) -> Iterator[tuple[Request, Answers]]:
        failed = 0
        for request, reply in self._replies(requests):
            if isinstance(reply, MarginaliaError):
                raise reply
            if isinstance(reply, Exception):
                name = _name(reply)
                self.tally.failures[name] = self.tally.failures.get(name, 0) + 1
                failed += 1
                if failed == self.limits.failures and not self.tally.stopped:
                    self.tally.stopped = f"the last {failed} requests failed ({name})"
                yield request, {}
                continue
            failed = 0
            said = reply.text if isinstance(reply.text, str) else str(reply.text)
            known_in, known_out = reply.tokens_in, reply.tokens_out
            self.tally.tokens_in += request.tokens if known_in is None else known_in
            self.tally.tokens_out += len(said) // 4 if known_out is None else known_out
            yield request, read_answer(reply.text, request)

    def _replies(self, requests: list[Request]) -> Iterator[tuple[Request, Reply | Exception]]:
        """As they come. The threads are daemons: what hangs keeps neither Ctrl-C nor the end of the program waiting."""
        results: queue.SimpleQueue[tuple[int, Reply | Exception]] = queue.SimpleQueue()
        waiting = deque(enumerate(requests))
        under_way: dict[int, tuple[Request, float]] = {}
        while waiting or under_way:
            while (
                waiting
                and len(under_way) < self.limits.at_once
                and self._may(waiting[0][1], under_way)
            ):
                number, request = waiting.popleft()
                under_way[number] = request, time.monotonic() + self.limits.seconds
                self.tally.requests += 1
                words = (number, request, results)
                threading.Thread(target=self._work, args=words, daemon=True).start()
            if not under_way:
                return
            first = min(under_way, key=lambda number: under_way[number][1])
            patience = max(0.0, under_way[first][1] - time.monotonic())
            try:
                number, reply = results.get(timeout=min(patience, PAUSE_SECONDS))
            except queue.Empty:
                if patience > PAUSE_SECONDS:
                    pause()  # others need not wait for the service too
                    continue
                number, reply = first, TimeoutError()
            if number in under_way:  # else it comes too late
                yield under_way.pop(number)[0], reply

    def _may(self, request: Request, under_way: Mapping[int, tuple[Request, float]]) -> bool:
        """Whether another request may be sent."""
        if self.tally.stopped:
            return False
        most = self.limits.max_tokens
        coming = request.tokens + sum(one.tokens for one, _ in under_way.values())
        if most is None or self.tally.tokens + coming <= most:
            return True
        if not under_way:
            self.tally.stopped = f"the limit of {most:,} tokens is reached"
        return False

    def _work(
        self, number: int, request: Request, results: queue.SimpleQueue[tuple[int, Any]]
    ) -> None:
        assert self.complete is not None  # noqa: S101 - for the type checker
        try:
            results.put((number, self.complete(request)))
        except Exception as error:  # a plug-in may fail in any way
            results.put((number, error))

    def to_dict(self) -> dict[str, Any]:
        """What a run records: never a text, a key or an address."""
        return {"model": self.name, "prompts": dict(sorted(self.prompts.items()))} | asdict(
            self.tally
        )

    def sentences(self) -> list[str]:
        """What a user should know of the answers, a sentence each; none where all went well."""
        tally = self.tally
        said = []
        if tally.stopped:
            said.append(f"{self.name} was asked no more: {tally.stopped}")
        if tally.unanswered:
            said.append(
                f"{self.name} gave no valid answer to {tally.unanswered} of {tally.lines} lines"
            )
        if tally.fallback:
            said.append(f"the shipped system answered {tally.fallback} items instead")
        if tally.dropped:
            said.append(f"{tally.dropped} quotations of {self.name} are not in the text: dropped")
        return said


def _take(
    request: Request, answers: Answers, found: dict[Entry, Mapping[str, Any]]
) -> list[Request]:
    """Note the answers, and give back the lines that have none, as a request."""
    for n, answer in answers.items():
        found[request.entries[n - 1]] = answer
    left = [entry for n, entry in enumerate(request.entries, start=1) if n not in answers]
    return [replace(request, entries=tuple(left), again=True)] if left else []


def _name(error: Exception) -> str:
    """The kind of an error, with its HTTP status where it has one."""
    status = getattr(error, "status_code", None)
    kind = type(error).__name__
    return f"{kind} {status}" if isinstance(status, int) else kind
