"""Documents in, notes on them, documents out."""
