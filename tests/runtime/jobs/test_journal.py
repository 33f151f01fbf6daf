"""Journals: what supervisors report, on full disks and after kills too."""

import errno
import os

import pytest

from bai.runtime.jobs.journal import (
    RESERVED,
    FileJournal,
    ask_to_stop,
    claim,
    journal_file,
    read_journal,
)
from bai.runtime.jobs.records import End, ExecutionState, Phase, StopReason, failed


def records(folder, offset=0):
    found, end = read_journal(folder, 1, offset)
    return [(record.kind, record.message) for record in found], end


def test_what_is_written_is_read_once(tmp_path):
    journal = FileJournal(tmp_path, 1)
    journal.claimed("7")
    journal.phase(Phase.MOUNTING)
    first, offset = records(tmp_path)
    journal.event("rank", "rank 1 failed", {"exitCode": 3})
    journal.end(End(ExecutionState.SUCCEEDED, 0))
    assert first == [("claimed", "7"), ("phase", "mounting")]
    assert records(tmp_path, offset)[0] == [("rank", "rank 1 failed"), ("end", "succeeded")]
    assert records(tmp_path, records(tmp_path)[1]) == ([], records(tmp_path)[1])


def test_the_end_comes_back_as_it_was(tmp_path):
    end = failed("JobFailed", "rank 1 failed", 3, failedFirst="rank 1")
    FileJournal(tmp_path, 1).end(end)
    assert read_journal(tmp_path, 1)[0][0].as_end() == end


def test_a_journal_is_continued(tmp_path):
    first = FileJournal(tmp_path, 1)
    first.phase(Phase.MOUNTING)
    first.close()
    FileJournal(tmp_path, 1).phase(Phase.RUNNING)
    assert records(tmp_path)[0] == [("phase", "mounting"), ("phase", "running")]


def test_half_a_record_is_none_and_is_written_over(tmp_path):
    journal = FileJournal(tmp_path, 1)
    journal.phase(Phase.MOUNTING)
    with journal_file(tmp_path, 1).open("r+b") as file:
        file.seek(records(tmp_path)[1])
        file.write(b'["2026-01-01T00:00')
    assert records(tmp_path)[0] == [("phase", "mounting")]
    FileJournal(tmp_path, 1).phase(Phase.RUNNING)
    assert records(tmp_path)[0] == [("phase", "mounting"), ("phase", "running")]


def test_a_full_disk_takes_the_end(tmp_path, monkeypatch):
    journal = FileJournal(tmp_path, 1)
    journal.phase(Phase.RUNNING)
    size = journal_file(tmp_path, 1).stat().st_size
    assert size >= RESERVED
    real = os.pwrite

    def full(handle, data, offset):
        if offset + len(data) > size:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(handle, data, offset)

    monkeypatch.setattr(os, "pwrite", full)
    journal.event("error", "lost on a full disk")
    journal.end(failed("JobFailed", "x" * 100_000, 1))
    assert [kind for kind, _ in records(tmp_path)[0]] == ["phase", "end"]
    assert read_journal(tmp_path, 1)[0][-1].as_end().exit_code == 1


def test_no_run_begins_without_room_for_its_end(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(OSError, match="No space"):
        FileJournal(tmp_path, 1)


def test_a_run_is_claimed_once(tmp_path):
    assert [claim(tmp_path, 1), claim(tmp_path, 1), claim(tmp_path, 2)] == [True, False, True]


def test_the_first_reason_to_stop_counts(tmp_path):
    journal = FileJournal(tmp_path, 1)
    assert journal.stop_reason() is None
    ask_to_stop(tmp_path, 1, StopReason.REQUEUE)
    ask_to_stop(tmp_path, 1, StopReason.CANCEL)
    assert journal.stop_reason() is StopReason.REQUEUE


def test_a_run_whose_folder_is_gone_stops(tmp_path):
    (tmp_path / "gone").mkdir()
    journal = FileJournal(tmp_path / "gone", 1)
    for path in (tmp_path / "gone").iterdir():
        path.unlink()
    (tmp_path / "gone").rmdir()
    assert journal.stop_reason() is StopReason.CANCEL
