"""``python -m marginalia.tasks.clarification.systems.train`` makes the weights again."""

from marginalia.tasks.clarification.systems.train.recipe import main

main()
