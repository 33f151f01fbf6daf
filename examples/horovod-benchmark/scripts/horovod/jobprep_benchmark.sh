#!/usr/bin/env bash
# The job's preparation, which runs on each node from the share: brings the benchmark to the node's
# own disk, and checks that what it needs is there. The one of the old recipe also installed Intel MPI
# and Horovod into its container; here both belong to the environment of the context.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
there=$AZ_BATCHAI_JOB_TEMP/benchmarks/scripts
mkdir -p "$there"
cp -R "$here/cnn_benchmarks" "$there/"
python -c 'import horovod; print("Horovod", horovod.__version__)'
