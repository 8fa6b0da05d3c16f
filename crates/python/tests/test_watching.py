"""Runs that are watched, stopped, and awaited."""

import asyncio
import concurrent.futures
import threading
import time

import numpy as np
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


@pytest.mark.parametrize("search", SEARCHES)
def test_a_request_to_stop_is_for_one_run_alone(search):
    search = search()
    # The function answers `False` at the last report, too, when the run has ended.
    for _ in range(3):
        assert search.run(iterations=400, on_progress=lambda report: report.iterations < 400, every_millis=1e9).iterations == 400
    timer = threading.Timer(0.05, search.stop)
    timer.start()
    assert search.run(seconds=600).stop_reason == "stopped"  # also after earlier runs
    timer.join()
    report = search.run(iterations=100)
    assert (report.iterations, report.stop_reason) == (100, "all iterations done")


def test_a_false_of_numpy_ends_a_run():
    search = ramure.Search(Sticks(300), "ucb1:solver=no")
    assert search.run(on_progress=lambda report: np.float64(1.0) < 0.5, every_millis=1).stop_reason == "stopped"


def test_a_run_that_waits_for_a_thread_is_cancelled_at_once():
    search = ramure.Search(Sticks(300), "ucb1:solver=no")

    async def cancelled():
        loop = asyncio.get_running_loop()
        loop.set_default_executor(concurrent.futures.ThreadPoolExecutor(1))
        free = threading.Event()
        blocked = loop.run_in_executor(None, free.wait)
        task = asyncio.create_task(search.run_async(iterations=1_000))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 60)
        free.set()
        await blocked

    asyncio.run(cancelled())
    assert search.report().root_visits == 0
