-- What Rollcall cannot read or verify of the chain as a whole, as the last marker has it.
ALTER TABLE {database}.checkpoints{on_cluster}
    ADD COLUMN IF NOT EXISTS limitations String DEFAULT '[]'
    COMMENT 'JSON array of what cannot be read or verified of the chain: kind, since, reason'
