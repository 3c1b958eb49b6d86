"""Survey catalogues as archives give them out, and what their variables' texts consist of."""
