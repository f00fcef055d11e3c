"""LOFE: Y. Sun, S. Todorovic, S. Goodison, IEEE TPAMI 32(9), 2010."""
