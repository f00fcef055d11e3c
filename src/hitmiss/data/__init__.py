"""Features, in memory, on disk or on a cluster, and the few questions asked of them."""
