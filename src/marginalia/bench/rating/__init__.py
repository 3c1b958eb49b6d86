"""Rating sessions: people answer questions on a page, with gold questions among them that nobody can tell."""
