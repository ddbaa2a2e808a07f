-- The pool of a missed vote as of the tally. Rows from before have no numbers and no name until a rebuild.
ALTER TABLE {database}.missed_votes{on_cluster}
    ADD COLUMN IF NOT EXISTS moniker String
    COMMENT 'The name of the pool as of the tally; empty in a row that an earlier version wrote',
    ADD COLUMN IF NOT EXISTS bonded_tokens Nullable(UInt256)
    COMMENT 'The tokens of the pool as of the tally; NULL in a row that an earlier version wrote',
    ADD COLUMN IF NOT EXISTS voting_power_atto Nullable(Int256)
    COMMENT 'The power that the vote of the pool would have had; NULL in a row that an earlier version wrote'
