"""What ranks write is in the logs, all of it."""

from watching import until


def test_a_rank_with_much_to_say_at_the_end_is_heard_to_its_end(bai):
    """More than a pipe holds is written on SIGTERM; nobody who does not read gets it all."""
    # The shell's own word for a sleep that was ended too is not what this is about.
    trap = "trap 'seq 100000; echo last; exit' TERM"
    command = f"exec 2>/dev/null; {trap}; echo up; while :; do sleep 0.05; done"
    bai.run("apply", "-d", bai.write(bai.custom("talks", command)))
    until(lambda: "up" in bai.run("logs", "talks").stdout, "the trap")
    bai.run("cancel", "talks")
    assert bai.run("logs", "talks").stdout.splitlines()[-2:] == ["100000", "last"]


def test_output_of_a_single_process_is_kept_byte_by_byte(bai):
    bai.run("apply", bai.write(bai.custom("bytes", r"printf 'a\r\0\377b'")))
    (path,) = bai.storage.rglob("stdout.txt")
    assert path.read_bytes() == b"a\r\0\xffb"


def test_a_full_disk_fails_the_job_and_says_so(bai, small):
    bai.context(slots=2, storage=small)
    done = bai.run("apply", bai.write(bai.custom("full", "yes")), code=1)
    assert "No space left on device" in done.stdout
    assert "Free some space" in done.stdout
    assert "JobLogsFailed" in done.stdout
