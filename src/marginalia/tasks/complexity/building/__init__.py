"""How CompLex was made: targets, gold and splits."""
