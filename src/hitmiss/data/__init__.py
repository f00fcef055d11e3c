"""Where the features are, and the few questions asked of them."""
