"""``python -m marginalia.tasks.measurement.systems.train`` makes the weights again."""

from marginalia.tasks.measurement.systems.train.recipe import main

main()
