"""Stands for ``pdf_child`` in tests: it never answers."""

import threading

threading.Event().wait()
