"""How each kind of job is launched: (job, nodes) to processes, without starting one."""
