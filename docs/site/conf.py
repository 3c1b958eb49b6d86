"""Sphinx settings of the documentation site; `build.py` gathers the pages and runs Sphinx with them."""

import marginalia

project = "Marginalia"
author = "the Marginalia authors"
version = release = marginalia.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = f"Marginalia {release}"
html_show_copyright = False
html_copy_source = False

myst_heading_anchors = 4

# Docstrings are plain text, with code in single or double backticks.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88
