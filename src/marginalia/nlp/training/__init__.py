"""What makes the shared weights and trains on them; needs the extra ``train``."""
