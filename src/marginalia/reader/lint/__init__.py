"""Lint for people who write: rules over the prose of a file, beside the findings of the tasks' notes."""
