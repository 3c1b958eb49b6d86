"""Text tools that tasks share: sentences, tokens, word frequencies."""
