-- The control database: which generation of the read model is served.
CREATE TABLE IF NOT EXISTS {control}.generations{on_cluster}
(
    generation UInt32 COMMENT 'Number of the generation; its tables live in database rollcall_<n>',
    state LowCardinality(String) COMMENT 'building, active, retired',
    changed_at DateTime64(3, 'UTC') COMMENT 'When this state was entered',
    version UInt64 COMMENT 'Later wins'
)
ENGINE = {engine}(version)
ORDER BY generation
COMMENT 'Generations of the read model';
