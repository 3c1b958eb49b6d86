"""The command line: one file per command, nothing imported before it is needed."""
