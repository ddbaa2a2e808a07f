-- The rule of each tally, the height at which the node confirmed it, and whether the sums are the node's own.
ALTER TABLE {database}.tallies{on_cluster}
    ADD COLUMN IF NOT EXISTS rule LowCardinality(String) DEFAULT ''
    COMMENT 'Name of the tally rule; empty if it is not known, and in rows of an earlier version',
    ADD COLUMN IF NOT EXISTS rule_proved_height Nullable(UInt64) DEFAULT NULL
    COMMENT 'Last height at which the node counted the same during the vote; NULL if there is none',
    ADD COLUMN IF NOT EXISTS reported Bool DEFAULT false
    COMMENT 'True if the sums are those that the node reported during the vote, because ours are not known'
