"""PDF pages become paragraphs in reading order; the characters come from a limited child process."""
