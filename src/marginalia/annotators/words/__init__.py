"""What a reader sees: notes, records and their wording."""
