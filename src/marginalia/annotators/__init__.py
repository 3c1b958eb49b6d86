"""What writes notes, one package each."""
