"""One module per format that documents are written in; ``json`` and ``brat`` read theirs back."""
