"""How the weights of the words annotator are made."""
