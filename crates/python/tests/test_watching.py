"""Runs that are watched, stopped, and awaited."""

import asyncio
import threading
import time

import pytest
import ramure
from conftest import Sticks

SEARCHES = [lambda: ramure.Search(Sticks(300), "ucb1:solver=no"), lambda: ramure.Search(ramure.games.hex(11), "ucb1:solver=no")]


@pytest.mark.parametrize("search", SEARCHES)
def test_a_function_sees_reports_and_ends_the_run(search):
    search, seen = search(), []

    def watch(report):
        seen.append(report.iterations)
        return len(seen) < 3

    report = search.run(on_progress=watch, every_millis=5)
    assert report.stop_reason == "stopped" and 3 <= len(seen) <= 4
    assert 0 < seen[0] < seen[1] < seen[2] <= report.iterations
    # Any answer but `False` lets the run go on. The last report is that of the end.
    seen.clear()
    report = search.run(iterations=2_000, on_progress=lambda report: seen.append(report.iterations), every_millis=1)
    assert report.iterations == 2_000 == seen[-1]


@pytest.mark.parametrize("search", SEARCHES)
def test_what_the_function_raises_the_run_raises_and_the_tree_is_kept(search):
    search = search()

    def fails(report):
        raise ZeroDivisionError("seen enough")

    with pytest.raises(ZeroDivisionError, match="seen enough"):
        search.run(seconds=600, on_progress=fails, every_millis=5)
    assert search.report().root_visits > 0
    assert search.run(iterations=10).iterations == 10
    with pytest.raises(TypeError, match="`on_progress` is a value of type int; give a function"):
        search.run(iterations=10, on_progress=3)
    with pytest.raises(ValueError, match="`every_millis` is 0"):
        search.run(iterations=10, on_progress=fails, every_millis=0)
    with pytest.raises(ValueError, match="leave one out"):
        search.run(seconds=1, millis=1)


@pytest.mark.parametrize("search", SEARCHES)
def test_another_thread_stops_a_run(search):
    search = search()
    timer = threading.Timer(0.05, search.stop)
    timer.start()
    assert search.run(seconds=600).stop_reason == "stopped"
    timer.join()
    search.stop()  # between two runs, it does nothing
    assert search.run(iterations=50).iterations == 50


@pytest.mark.parametrize("search", SEARCHES)
def test_a_run_is_awaited_and_cancelled(search):
    search = search()

    async def both():
        ticks = 0
        task = asyncio.create_task(search.run_async(iterations=20_000))
        while not task.done():
            await asyncio.sleep(0.001)
            ticks += 1
        assert (await task).iterations == 20_000 and ticks > 1
        task = asyncio.create_task(search.run_async(seconds=600))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    start = time.monotonic()
    asyncio.run(both())
    assert time.monotonic() - start < 300
    assert search.report().root_visits > 20_000
