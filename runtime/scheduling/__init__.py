"""Decides which attempts start where, and how clusters grow and shrink.

Everything here is a pure function: of a `ClusterView`, a snapshot of the state that answers indexed
queries, to instructions. Whoever asked carries them out in the same transaction, before asking
again. A decision costs what it changes, and does not grow with the queue or the cluster.

A keeper step asks in this order:

1. for what happened: `released` for an attempt that ended, `nodes_lost` for nodes that failed,
   `resize` for a new manual scale, `first_nodes` for a new cluster; a prepared node becomes idle;
2. `autoscale` for clusters that scale automatically;
3. `schedule`.

After that, nothing that could start is queued. `waiting` says why a queued attempt does not start.
"""
