"""What people see of a document's notes: blocks, captions, rows, findings."""
