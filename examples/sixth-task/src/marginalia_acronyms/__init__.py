"""Which abbreviation is never explained? A sixth task for Marginalia."""
