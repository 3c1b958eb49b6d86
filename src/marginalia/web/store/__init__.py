"""What stays: documents, notes, decisions, settings and people of the web reader, in SQLite and a folder of files."""
