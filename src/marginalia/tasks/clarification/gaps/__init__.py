"""Places of a text that leave something open: found, marked, filled and mined from revisions."""
