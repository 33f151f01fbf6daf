"""The effect of signals in the processes of a job, whatever bai was started with."""

import signal

SHOW = "grep -E '^Sig(Ign|Blk)' /proc/self/status"
OF_THE_C_LIBRARY = 0b11 << 31
"""Signals 32 and 33: glibc's posix_spawn, as make uses it, ignores them for good."""


def affected(text):
    """Return the signals of programs that are blocked and ignored, each as a mask."""
    lines = dict(line.split(":") for line in text.splitlines())
    return {name: int(mask, 16) & ~OF_THE_C_LIBRARY for name, mask in lines.items()}


def ignore_and_block():
    """Be a program that ignores signals, as nohup does, and blocks others."""
    for number in (signal.SIGHUP, signal.SIGUSR1, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGUSR2])


def test_a_job_ignores_and_blocks_no_signals(bai):
    spec = bai.write(bai.custom("show", SHOW, preparation=SHOW))
    bai.run("apply", spec, preexec_fn=ignore_and_block)
    for log in ("stdout.txt", "stdout-job_prep.txt"):
        (path,) = (bai.folder / ".bai/storage").rglob(log)
        assert affected(path.read_text()) == {"SigBlk": 0, "SigIgn": 0}, log


def test_ranks_under_mpirun_ignore_no_signals(bai, needs_mpirun):
    bai.context(slots=2, launcher="mpirun")
    job = bai.custom("show", SHOW).replace("custom:", "customMpi:")
    bai.run("apply", bai.write(job))
    (path,) = (bai.folder / ".bai/storage").rglob("stdout.txt")
    assert affected(path.read_text()) == {"SigBlk": 0, "SigIgn": 0}


def test_an_interrupt_reaches_a_handler_of_the_script(bai):
    script = "import _thread\ntry:\n _thread.interrupt_main()\nexcept KeyboardInterrupt:\n print(1)"
    (bai.folder / "script.py").write_text(script)
    code = bai.custom(
        "int", f"python {bai.folder}/script.py; trap 'echo trapped' INT; kill -INT $$"
    )
    bai.run("apply", bai.write(code))
    (path,) = (bai.folder / ".bai/storage").rglob("stdout.txt")
    assert path.read_text() == "1\ntrapped\n"
