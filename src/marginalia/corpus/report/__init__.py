"""A corpus on one page: plots and lists, in a single file without anything from outside."""
