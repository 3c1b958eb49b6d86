"""One module per format that documents are written in; json, webannotation, brat and xmi read theirs back."""
