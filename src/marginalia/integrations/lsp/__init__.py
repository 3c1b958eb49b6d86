"""A language server: what lint reports, in any editor that speaks the protocol."""
