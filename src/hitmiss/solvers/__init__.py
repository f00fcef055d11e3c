"""Solvers: margins, a loss and a penalty in, a Solution out."""
