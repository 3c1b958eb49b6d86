"""Steps of making a data set that no single task owns: who rates what, whose ratings count, how far they agree."""
