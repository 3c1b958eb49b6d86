"""One room per question, the same furniture in each."""
