-- Pools that the tally rule of the chain leaves out, although they are bonded. An earlier version knew none.
ALTER TABLE {database}.pools{on_cluster}
    ADD COLUMN IF NOT EXISTS counted Bool DEFAULT true
    COMMENT 'False if tallies leave the pool out, although it is bonded and not jailed';
ALTER TABLE {database}.pool_states{on_cluster}
    ADD COLUMN IF NOT EXISTS counted Bool DEFAULT true
    COMMENT 'False if tallies left the pool out, although it was bonded and not jailed';
ALTER TABLE {database}.pool_votes{on_cluster}
    ADD COLUMN IF NOT EXISTS counted Bool DEFAULT true
    COMMENT 'False if tallies leave the pool out, although it is bonded and not jailed: as of the tally or now';
ALTER TABLE {database}.votes_by_pool{on_cluster}
    ADD COLUMN IF NOT EXISTS counted Bool DEFAULT true
    COMMENT 'False if tallies leave the pool out, although it is bonded and not jailed: as of the tally or now';
ALTER TABLE {database}.pool_votes_to_pools{on_cluster} MODIFY QUERY SELECT * FROM {database}.pool_votes
