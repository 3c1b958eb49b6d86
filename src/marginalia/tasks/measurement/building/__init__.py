"""How two annotators' files become one: agreement and adjudication."""
