"""Many documents: annotated exactly once, kept as Parquet, queried, compared and exported."""
