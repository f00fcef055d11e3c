"""Steps that the experiments share."""
