"""Runs Horovod's rendezvous server; started as a script, with the job's own interpreter.

    python rendezvous.py HOSTS COUNT

HOSTS is `name:slots,...`, COUNT the number of ranks. Prints one line of JSON, {"ranks": [env of
rank 0, ...]}, and serves until its standard input ends. It imports Horovod's launcher only, not
its frameworks, and nothing of bai: the interpreter need not have it.
"""

import json
import sys
import threading
from pathlib import Path


def main() -> None:
    """Serve one job."""
    # The modules beside this script are bai's, and would hide what Horovod imports. Python's own
    # option for that (-P) is newer than some interpreters of jobs.
    beside = Path(__file__).resolve().parent
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != beside]
    from horovod.runner.common.util.hosts import get_host_assignments, parse_hosts
    from horovod.runner.gloo_run import create_run_env_vars, create_slot_env_vars
    from horovod.runner.http.http_server import RendezvousHandler, RendezvousHTTPServer

    hosts, count = sys.argv[1], int(sys.argv[2])
    slots = get_host_assignments(parse_hosts(hosts), count)
    # Horovod's own RendezvousServer.start listens on every interface of the machine.
    server = RendezvousHTTPServer(("127.0.0.1", 0), RendezvousHandler, 0)
    server.init(slots)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    common = create_run_env_vars("127.0.0.1", ["lo"], server.server_address[1])
    ranks = [{**common, **create_slot_env_vars(slot)} for slot in slots]
    text = [{name: str(value) for name, value in rank.items()} for rank in ranks]
    print(json.dumps({"ranks": text}), flush=True)  # noqa: T201 - the answer
    sys.stdin.read()


if __name__ == "__main__":
    main()
