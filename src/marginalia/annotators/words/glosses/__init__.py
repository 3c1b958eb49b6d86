"""What a hard word means: glosses of WordNet, and which sense a sentence has in mind."""
