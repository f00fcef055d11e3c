"""FREL: Y. Li, J. Si, G. Zhou, S. Huang, S. Chen, IEEE TNNLS 26(7), 2015."""
