"""The REST API under ``/api``; its description is ``/api/openapi.json``."""
