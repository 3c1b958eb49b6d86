"""How two annotators' files become one."""
