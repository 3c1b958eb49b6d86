"""What the document says of its own words: short forms and terms that it defines, where a reader may have missed it."""
