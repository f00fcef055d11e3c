"""Online LOFE: the paper of the authors of LOFE on online learning with a self-tuned penalty."""
