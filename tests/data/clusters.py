"""Arrays that take their time, and work that must end."""

import threading
import time
from concurrent.futures import Future

import dask
import dask.array as da

from tests.data.conftest import LIMIT


def slow_array(X, seconds=0.2, chunk=512):
    """X in chunks that take their time, so that there is a middle of the fit."""

    def load(start):
        time.sleep(seconds)
        return X[:, start : start + chunk]

    starts = range(0, X.shape[1], chunk)
    parts = [
        da.from_delayed(
            dask.delayed(load, pure=False)(k), (len(X), min(chunk, X.shape[1] - k)), X.dtype
        )
        for k in starts
    ]
    return da.concatenate(parts, axis=1)


def in_time(work, *arguments, limit=LIMIT):
    """What the work returns or raises; a TimeoutError if it does not end."""
    ended = Future()

    def run():
        try:
            ended.set_result(work(*arguments))
        except BaseException as error:
            ended.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return ended.result(limit)


class WhenBusy(threading.Thread):
    """Does something to a cluster once its workers have been busy for a while."""

    def __init__(self, client, action, delay=0.5):
        super().__init__(daemon=True)
        self.client, self.action, self.delay = client, action, delay
        self.start()

    def run(self):
        while not any(self.client.processing().values()):
            time.sleep(0.02)
        time.sleep(self.delay)
        self.action()
