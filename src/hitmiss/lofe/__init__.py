"""LOFE: the fixed point of local learning."""
