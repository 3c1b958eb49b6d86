"""Marginalia inside other tools."""
