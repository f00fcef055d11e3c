"""Pictures inside a report, decoded."""

import base64
import io

import matplotlib.image
import numpy as np


def pixels_of(address):
    data = base64.b64decode(address.removeprefix("data:image/png;base64,"))
    return np.rint(255 * matplotlib.image.imread(io.BytesIO(data))).astype(int)
