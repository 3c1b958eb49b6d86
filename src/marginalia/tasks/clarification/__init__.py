"""What is left unsaid, and how could it be read? SemEval-2022 Task 7, CLAIRE."""
