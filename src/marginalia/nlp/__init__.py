"""Text tools that tasks share: sentences, tokens, word frequencies, the language of a text."""
