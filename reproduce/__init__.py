"""Every published table and figure, from this library, beside the published numbers.

Imports point one way: harness <- experiments <- pages <- __main__.

- harness: what runs, stores and renders any experiment.
- experiments: what is computed, a folder per paper.
- pages: what the page says of the results, the same folders.
- results: the stored records, a file per experiment, and the pictures; README.md is made of them.
"""
