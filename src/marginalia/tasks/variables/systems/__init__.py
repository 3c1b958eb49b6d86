"""What predicts: the organisers' baselines and our systems."""
