import numpy as np

from hitmiss.report.png import png_address
from tests.report.pixels import pixels_of


def test_pictures_are_png_files():
    pixels = np.random.default_rng(0).integers(0, 256, (5, 7, 3)).astype(np.uint8)
    np.testing.assert_array_equal(pixels_of(png_address(pixels)), pixels)
