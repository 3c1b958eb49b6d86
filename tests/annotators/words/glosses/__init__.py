"""Tests of glosses and senses."""
