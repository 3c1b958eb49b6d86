"""``python -m marginalia.tasks.complexity.systems.train`` makes the weights again."""

from marginalia.tasks.complexity.systems.train.recipe import main

main()
