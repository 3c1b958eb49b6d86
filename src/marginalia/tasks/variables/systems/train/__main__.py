"""``python -m marginalia.tasks.variables.systems.train`` makes the weights again."""

from marginalia.tasks.variables.systems.train.recipe import main

main()
