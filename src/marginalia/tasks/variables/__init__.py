"""Which survey variables does this sentence use? SV-Ident 2022, in English and German."""
