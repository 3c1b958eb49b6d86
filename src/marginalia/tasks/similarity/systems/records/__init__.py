"""TYPED: catalogue records compared field by field."""
