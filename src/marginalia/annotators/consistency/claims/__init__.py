"""What sentences claim, and which claims of a document cannot both be true."""
