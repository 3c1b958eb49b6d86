"""Whose turn it is: one at a time, short ones first, nobody for ever last, and given up without harm."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

from marginalia.core.long_work import pause
from marginalia.web.turns import MAX_PAUSED, MAX_QUICK_IN_A_ROW, Turns


def run(coroutine: object) -> None:
    with ThreadPoolExecutor(1) as pool:  # the browser of other tests has a loop in this thread
        pool.submit(lambda: asyncio.run(coroutine)).result()  # type: ignore[arg-type]


async def until_waiting(turns: Turns, count: int) -> None:
    while turns.waiting < count:
        await asyncio.sleep(0)


def test_short_ones_come_first_and_long_ones_come_too() -> None:
    turns, order = Turns(), []
    began, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        began.set()
        go_on.wait()

    async def main() -> None:
        first = asyncio.create_task(turns.run(hold))
        await asyncio.to_thread(began.wait)
        waiting = []
        for name, quick in [
            ("long 1", False),
            ("long 2", False),
            *((f"quick {n}", True) for n in range(10)),
        ]:
            waiting.append(
                asyncio.create_task(turns.run(lambda name=name: order.append(name), quick=quick))
            )
            await until_waiting(turns, len(waiting))
        go_on.set()
        await asyncio.gather(first, *waiting)

    run(main())
    assert order[:MAX_QUICK_IN_A_ROW] == [f"quick {n}" for n in range(MAX_QUICK_IN_A_ROW)]
    assert order[MAX_QUICK_IN_A_ROW] == "long 1", "eight short ones are enough"
    assert order[-1] == "long 2" and len(order) == 12


def test_one_at_a_time() -> None:
    turns, inside, most = Turns(), 0, 0

    def work() -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        inside -= 1

    def in_thread() -> None:
        with turns.turn():
            work()

    async def main() -> None:
        threads = [threading.Thread(target=in_thread) for _ in range(20)]
        for thread in threads:
            thread.start()
        await asyncio.gather(*(turns.run(work, quick=n % 2 == 0) for n in range(40)))
        for thread in threads:
            await asyncio.to_thread(thread.join)

    run(main())
    assert most == 1 and turns.waiting == 0


def test_who_gives_up_leaves_the_queue_and_who_works_keeps_the_turn() -> None:
    turns, done = Turns(), []
    began, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        began.set()
        go_on.wait()
        done.append("held")

    async def main() -> None:
        first = asyncio.create_task(turns.run(hold))
        await asyncio.to_thread(began.wait)
        second = asyncio.create_task(turns.run(lambda: done.append("given up")))
        third = asyncio.create_task(turns.run(lambda: done.append("third")))
        await until_waiting(turns, 2)
        first.cancel()
        second.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        assert done == [], "the work goes on in its thread, and nobody else begins"
        go_on.set()
        await third

    run(main())
    assert done == ["held", "third"]


def test_work_that_fails_passes_the_turn_on() -> None:
    turns = Turns()

    async def main() -> None:
        results = await asyncio.gather(
            turns.run(lambda: 1 // 0), turns.run(lambda: "fine"), return_exceptions=True
        )
        assert isinstance(results[0], ZeroDivisionError) and results[1] == "fine"

    run(main())
    with turns.turn():
        assert turns.waiting == 0


def test_a_long_one_lets_short_ones_go_first_where_it_pauses() -> None:
    turns, order = Turns(), []
    began, go_on = threading.Event(), threading.Event()

    def long(name: str) -> None:
        began.set()
        go_on.wait()
        order.append(f"{name} begins")
        pause()
        order.append(f"{name} ends")

    async def main() -> None:
        first = asyncio.create_task(turns.run(lambda: long("first")))
        await asyncio.to_thread(began.wait)
        second = asyncio.create_task(turns.run(lambda: long("second")))
        await until_waiting(turns, 1)
        quick = asyncio.create_task(turns.run(lambda: order.append("quick"), quick=True))
        await until_waiting(turns, 2)
        go_on.set()
        await asyncio.gather(first, second, quick)

    run(main())
    assert order == ["first begins", "quick", "second begins", "second ends", "first ends"]


def test_many_long_ones_that_stand_still_leave_threads_for_those_in_front() -> None:
    turns, done = Turns(), []

    def long() -> None:
        for _ in range(20):
            pause()
        done.append("long")

    async def main() -> None:
        many = [asyncio.create_task(turns.run(long)) for _ in range(3 * MAX_PAUSED)]
        many += [
            asyncio.create_task(turns.run(lambda: done.append("quick"), quick=True))
            for _ in range(3 * MAX_PAUSED)
        ]
        async with asyncio.timeout(60):
            await asyncio.gather(*many)

    run(main())
    assert len(done) == 6 * MAX_PAUSED
