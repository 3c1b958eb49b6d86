"""``marginalia corpus``: many documents."""
