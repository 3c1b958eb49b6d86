"""How CLAIRE was made: rows of five fillers, and gold from ratings."""
