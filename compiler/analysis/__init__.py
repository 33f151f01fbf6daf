"""What texts inside a job give away: shell command lines, Python scripts, secrets, VM sizes.

Pure functions over text, one subject a module. They know nothing of jobs, spans or findings: rules
ask them, and turn their answers into findings.
"""
