"""The dictionary that we write: how many people know a word, what it means in plain words, expressions, terms and abbreviations."""
