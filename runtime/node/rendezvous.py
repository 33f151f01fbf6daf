"""Runs Horovod's rendezvous server; started as a script, with the job's own interpreter.

    python rendezvous.py HOSTS COUNT ADDRESS INTERFACE

HOSTS is `name:slots,...`, COUNT the number of ranks. Listens on ADDRESS only, which is one of
INTERFACE. Prints one line of JSON, {"ranks": [env of rank 0, ...]}, and serves until it is ended.
It imports Horovod's launcher only, not its frameworks, and nothing of bai: the interpreter need
not have it.
"""

import json
import sys
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

    hosts, count, address, interface = sys.argv[1], int(sys.argv[2]), *sys.argv[3:]
    slots = get_host_assignments(parse_hosts(hosts), count)
    # Horovod's own RendezvousServer.start listens on every interface of the machine.
    server = RendezvousHTTPServer((address, 0), RendezvousHandler, 0)
    server.init(slots)
    common = create_run_env_vars(address, [interface], server.server_address[1])
    ranks = [{**common, **create_slot_env_vars(slot)} for slot in slots]
    text = [{name: str(value) for name, value in rank.items()} for rank in ranks]
    print(json.dumps({"ranks": text}), flush=True)  # noqa: T201 - the answer
    server.serve_forever()


if __name__ == "__main__":
    main()
