"""Systems on splits: run them, score them, and set them beside the published results."""
