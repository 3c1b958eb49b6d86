"""Golden notes: little documents of ours with everything that Marginalia writes in their margins.

``python -m tests.golden`` writes the files of ``notes/`` anew after a change that is meant; read the diff before you commit it.
"""
