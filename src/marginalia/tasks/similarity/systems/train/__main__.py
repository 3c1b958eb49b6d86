"""``python -m marginalia.tasks.similarity.systems.train`` makes the weights again."""

from marginalia.tasks.similarity.systems.train.recipe import main

main()
