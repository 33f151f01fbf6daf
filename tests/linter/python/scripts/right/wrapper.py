"""Starts the real training."""
import os
import subprocess
import sys

environment = dict(os.environ, OMP_NUM_THREADS="2")
command = [sys.executable, "-m", "trainer.task", *sys.argv[1:]]
sys.exit(subprocess.call(command, env=environment))
