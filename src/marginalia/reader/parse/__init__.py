"""Files become text with regions: one module per input format."""
