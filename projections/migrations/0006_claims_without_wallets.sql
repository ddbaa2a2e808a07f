-- Wallets stay in the log rollcall.agents. No query reads them here, and whoever can read this store's files reads past its
-- grants. A hash would hide nothing: every wallet of the chain is known, so that all of them can be hashed and compared.
ALTER TABLE {database}.claims{on_cluster}
    DROP COLUMN IF EXISTS address,
    DROP COLUMN IF EXISTS public_key;
