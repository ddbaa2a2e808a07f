-- What a rebuild needs of the control database: why a generation failed, and who is rebuilding.
ALTER TABLE {control}.generations{on_cluster}
    ADD COLUMN IF NOT EXISTS reason String DEFAULT '' COMMENT 'Why it failed; empty in any other state',
    MODIFY COLUMN state LowCardinality(String) COMMENT 'building, active, retired, failed, dropped';

CREATE TABLE IF NOT EXISTS {control}.leases{on_cluster}
(
    name String COMMENT 'What may be done by one at a time',
    owner String COMMENT 'Who does it; empty where nobody does',
    holder String COMMENT 'The same for people: process and machine',
    expires_at DateTime64(3, 'UTC') COMMENT 'Renewed long before; later than this, anybody may take it',
    version UInt64 COMMENT 'Later wins'
)
ENGINE = {engine}(version)
ORDER BY name
COMMENT 'Who does what only one may do at a time';
