-- Where the log begins after a vote did, the chain's state may not tell the first round from the second.
ALTER TABLE {database}.proposals{on_cluster}
    ADD COLUMN IF NOT EXISTS round_reason Nullable(String)
    COMMENT 'Why round is only the lowest that it can be; NULL where it is known';
