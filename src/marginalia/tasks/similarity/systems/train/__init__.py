"""How the shipped weights are made; needs the extra ``train``."""
