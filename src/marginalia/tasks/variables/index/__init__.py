"""An index over a catalogue, in memory or memory-mapped: built once, then searched."""
