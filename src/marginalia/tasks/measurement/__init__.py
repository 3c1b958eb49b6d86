"""What was measured, of what, under which conditions? SemEval-2021 Task 8, MeasEval."""
