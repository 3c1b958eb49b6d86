"""The local web reader: a REST API, and a page without a build step that uses it."""
