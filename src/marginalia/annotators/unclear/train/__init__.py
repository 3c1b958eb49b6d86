"""How the weights of the annotator unclear are made."""
