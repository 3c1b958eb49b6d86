"""What a copy editor marks: spelling, abbreviations, numbers, wording, sentences, marks."""
