"""Shared parts of the commands.

These modules are imported before the command is known, so they load numpy, scikit-learn, rich
and the rest of hitmiss inside the functions that use them: ``hitmiss --help`` needs none of it.
"""
