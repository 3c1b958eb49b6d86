"""What the organisers fixed: data, formats, scores and submissions."""
