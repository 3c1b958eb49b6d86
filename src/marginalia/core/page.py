"""A web page that stands alone: what every report and every document with its notes has around its body."""

from __future__ import annotations

from html import escape


def whole_page(
    title: str, body: str, *, style: str, lang: str = "en", with_script: bool = False
) -> str:
    """The page may load nothing from elsewhere, and runs a script only where the body has one of ours."""
    script = "; script-src 'unsafe-inline'" if with_script else ""
    return f"""<!doctype html>
<html lang="{escape(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'{script}">
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
{body}
</body>
</html>
"""
