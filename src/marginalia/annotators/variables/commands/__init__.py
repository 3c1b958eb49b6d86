"""The task's own commands, found through the entry point group ``marginalia.commands``."""
