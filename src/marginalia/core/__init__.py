"""The objects every other part speaks of: documents, tasks, systems, runs and statistics."""
