"""Which words will stop the reader? SemEval-2021 Task 1, Lexical Complexity Prediction."""
