-- The deposit that starts a proposal's vote, and an index that finds the few events of one type among many votes.
ALTER TABLE {database}.proposals{on_cluster}
    ADD COLUMN IF NOT EXISTS min_deposit Array(Tuple(denom String, amount String))
    COMMENT 'Deposit that starts a vote: by the parameters in force now, or when its deposit period ended; empty where not known',
    ADD COLUMN IF NOT EXISTS expedited_min_deposit Array(Tuple(denom String, amount String))
    COMMENT 'The same for an expedited vote; empty where the chain has none',
    ADD COLUMN IF NOT EXISTS min_deposit_reason Nullable(String)
    DEFAULT 'an earlier version wrote this row: rebuild the tables'
    COMMENT 'Why min_deposit is not known; NULL where it is';

ALTER TABLE {database}.events{on_cluster}
    ADD INDEX IF NOT EXISTS type_of_event type TYPE set(16) GRANULARITY 1,
    ADD INDEX IF NOT EXISTS depositor_key depositor_key TYPE bloom_filter GRANULARITY 1;
