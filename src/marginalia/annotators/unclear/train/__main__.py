"""``python -m marginalia.annotators.unclear.train``."""

from marginalia.annotators.unclear.train.recipe import main

if __name__ == "__main__":
    main()
