"""Two versions of a document, or two documents: what changed in text, notes and numbers."""
