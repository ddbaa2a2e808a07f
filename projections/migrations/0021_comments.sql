-- A comment on every column, in the words of the declarations (projections/contract/tables).
ALTER TABLE {database}.events{on_cluster}
    COMMENT COLUMN position 'height · 2^32 + index: order on the chain, and the key',
    COMMENT COLUMN proposal_id 'The proposal the event is about; 0 for chain-wide facts',
    COMMENT COLUMN type 'rollcall.<name>.v1, such as rollcall.vote.cast.v1';
ALTER TABLE {database}.proposals{on_cluster}
    COMMENT COLUMN title_source 'proposal or metadata; empty without a title',
    COMMENT COLUMN summary_source 'proposal or metadata; empty without a summary',
    COMMENT COLUMN metadata 'Unchanged; empty if the chain has none',
    COMMENT COLUMN proposer 'Account address; NULL if the chain did not store it',
    COMMENT COLUMN further_message_types 'The other types of the messages, each once',
    COMMENT COLUMN context 'JSON: the chain''s state of what the messages touch; empty in a row that an earlier version wrote',
    COMMENT COLUMN changes 'JSON: the parameters that the messages change, or why they are not known; empty in a row that an earlier version wrote',
    COMMENT COLUMN status 'deposit_period, voting_period, passed, rejected, failed, canceled, dropped, vetoed',
    COMMENT COLUMN expedited 'The chain''s own flag: false after an expedited vote failed',
    COMMENT COLUMN round 'Voting round: 0 before any vote, 1 the first, 2 after an expedited vote failed',
    COMMENT COLUMN round_reason 'Why round is only the lowest possible one; NULL if it is known',
    COMMENT COLUMN submit_time 'When it was submitted',
    COMMENT COLUMN deposit_end_time 'When the deposit period ends',
    COMMENT COLUMN voting_start_time 'When voting began; NULL if it never did',
    COMMENT COLUMN voting_end_time 'Scheduled end of voting',
    COMMENT COLUMN closed_time 'Time of the block that closed it; NULL while open',
    COMMENT COLUMN closed_height 'Height of the block that closed it; NULL while open',
    COMMENT COLUMN total_deposit 'Deposits, in base units',
    COMMENT COLUMN min_deposit 'Deposit that starts a vote, in base units: by the latest parameters during its deposit period, then by those at its end; empty if unknown',
    COMMENT COLUMN expedited_min_deposit 'The same for an expedited vote; empty if the chain has none',
    COMMENT COLUMN min_deposit_reason 'Why min_deposit is unknown; NULL if it is known',
    COMMENT COLUMN submitted_height 'NULL if it was submitted before the first indexed height',
    COMMENT COLUMN submitted_tx_hash 'NULL if no transaction submitted it, or if it is unknown';
ALTER TABLE {database}.proposal_proofs{on_cluster}
    COMMENT COLUMN value 'This chunk of the stored bytes, in base64; NULL if no endpoint gave a valid proof',
    COMMENT COLUMN proof_ops 'JSON: the steps from the value to the app hash; NULL if value is NULL',
    COMMENT COLUMN reason 'Why value is NULL; NULL if it is not';
ALTER TABLE {database}.light_blocks{on_cluster}
    COMMENT COLUMN header_time 'Time of the header; NULL if there is no header, or if it has no such time',
    COMMENT COLUMN header 'JSON of the header, as the RPC of a node has it; NULL if no endpoint gave a valid one',
    COMMENT COLUMN commit 'JSON of the commit that signs the header; NULL if header is NULL',
    COMMENT COLUMN validators_hash 'Hash of the validator set that signed; NULL if header is NULL',
    COMMENT COLUMN reason 'Why header is NULL; NULL if it is not';
ALTER TABLE {database}.ballots{on_cluster}
    COMMENT COLUMN proposal_id 'The chain''s id',
    COMMENT COLUMN round 'Voting round',
    COMMENT COLUMN rank 'Order of the voter''s first ballot in this round, from 0',
    COMMENT COLUMN voter 'Account address; a pool''s operator votes with its account address too',
    COMMENT COLUMN options 'The vote with its weights, to 18 decimals',
    COMMENT COLUMN counted 'False for a vote after its own proposal''s tally, in the same end block',
    COMMENT COLUMN height 'Height of the vote; NULL if it is not known',
    COMMENT COLUMN time 'Block time of the vote; NULL if not known',
    COMMENT COLUMN tx_hash 'Transaction of the vote; NULL if there is none, or if it is unknown',
    COMMENT COLUMN delegations_known 'False if the node could not return them: delegations are then empty',
    COMMENT COLUMN version 'Position of the event this row follows';
ALTER TABLE {database}.ballots_by_voter{on_cluster}
    COMMENT COLUMN proposal_id 'The chain''s id',
    COMMENT COLUMN round 'Voting round',
    COMMENT COLUMN rank 'Order of the voter''s first ballot in this round, from 0',
    COMMENT COLUMN voter 'Account address; a pool''s operator votes with its account address too',
    COMMENT COLUMN options 'The vote with its weights, to 18 decimals',
    COMMENT COLUMN counted 'False for a vote after its own proposal''s tally, in the same end block',
    COMMENT COLUMN height 'Height of the vote; NULL if it is not known',
    COMMENT COLUMN time 'Block time of the vote; NULL if not known',
    COMMENT COLUMN tx_hash 'Transaction of the vote; NULL if there is none, or if it is unknown',
    COMMENT COLUMN delegations_known 'False if the node could not return them: delegations are then empty',
    COMMENT COLUMN version 'Position of the event this row follows';
ALTER TABLE {database}.pools{on_cluster}
    COMMENT COLUMN operator_address 'The validator''s operator address',
    COMMENT COLUMN account_address 'The operator''s own account, which casts the pool''s vote',
    COMMENT COLUMN moniker 'The pool''s name',
    COMMENT COLUMN delegator_shares 'All shares of the pool',
    COMMENT COLUMN jailed 'A jailed pool''s stake does not count in a tally',
    COMMENT COLUMN version 'Position of the event this row follows';
ALTER TABLE {database}.pool_states{on_cluster}
    COMMENT COLUMN operator_address 'The validator''s operator address',
    COMMENT COLUMN position 'Position of the event with this state, until the pool''s next row',
    COMMENT COLUMN height 'Height at which this state was observed',
    COMMENT COLUMN time 'Block time',
    COMMENT COLUMN moniker 'The pool''s name then',
    COMMENT COLUMN tokens 'Base units',
    COMMENT COLUMN delegator_shares 'Shares of all its delegators',
    COMMENT COLUMN status 'bonded, unbonding, unbonded',
    COMMENT COLUMN jailed 'Whether it was jailed';
ALTER TABLE {database}.voter_stakes{on_cluster}
    COMMENT COLUMN position 'Position of the first event with these delegations, until the voter''s next row',
    COMMENT COLUMN height 'Block height',
    COMMENT COLUMN time 'Block time',
    COMMENT COLUMN delegations_known 'False if the node could not return them: delegations are then empty',
    COMMENT COLUMN delegations 'Pools with the shares that the voter has delegated to them';
ALTER TABLE {database}.pool_votes{on_cluster}
    COMMENT COLUMN proposal_id 'The chain''s id',
    COMMENT COLUMN round 'Voting round',
    COMMENT COLUMN rank 'Order of the pool''s first appearance in the vote, from 0',
    COMMENT COLUMN operator_address 'The pool: the validator''s operator address',
    COMMENT COLUMN moniker 'The pool''s name, as of the tally or now',
    COMMENT COLUMN status 'bonded, unbonding, unbonded: as of the tally or now; only bonded pools count',
    COMMENT COLUMN jailed 'As of the tally or now; a jailed pool does not count',
    COMMENT COLUMN voted 'True if the operator itself voted; else only delegators did',
    COMMENT COLUMN options 'The operator''s vote with its weights; empty if it did not vote',
    COMMENT COLUMN vote_height 'Height of the pool''s own vote; NULL if there is none or it is not known',
    COMMENT COLUMN vote_time 'Block time of that vote; NULL if there is none or it is not known',
    COMMENT COLUMN vote_tx_hash 'Transaction of that vote; NULL if there is none or it is not known',
    COMMENT COLUMN voting_power_atto 'Power of the pool''s own vote, or that it would have, after deductions',
    COMMENT COLUMN delegator_power_atto 'Power of these delegators in this pool',
    COMMENT COLUMN delegator_yes_atto 'Of it, for yes',
    COMMENT COLUMN delegator_abstain_atto 'Of it, for abstain',
    COMMENT COLUMN delegator_no_atto 'Of it, for no',
    COMMENT COLUMN delegator_no_with_veto_atto 'Of it, for no with veto',
    COMMENT COLUMN yes_atto 'The pool''s whole part for yes: its own vote and its delegators''',
    COMMENT COLUMN abstain_atto 'The same for abstain',
    COMMENT COLUMN no_atto 'The same for no',
    COMMENT COLUMN no_with_veto_atto 'The same for no with veto',
    COMMENT COLUMN version 'Position of the event this row follows';
ALTER TABLE {database}.votes_by_pool{on_cluster}
    COMMENT COLUMN proposal_id 'The chain''s id',
    COMMENT COLUMN round 'Voting round',
    COMMENT COLUMN rank 'Order of the pool''s first appearance in the vote, from 0',
    COMMENT COLUMN operator_address 'The pool: the validator''s operator address',
    COMMENT COLUMN moniker 'The pool''s name, as of the tally or now',
    COMMENT COLUMN status 'bonded, unbonding, unbonded: as of the tally or now; only bonded pools count',
    COMMENT COLUMN jailed 'As of the tally or now; a jailed pool does not count',
    COMMENT COLUMN voted 'True if the operator itself voted; else only delegators did',
    COMMENT COLUMN options 'The operator''s vote with its weights; empty if it did not vote',
    COMMENT COLUMN vote_height 'Height of the pool''s own vote; NULL if there is none or it is not known',
    COMMENT COLUMN vote_time 'Block time of that vote; NULL if there is none or it is not known',
    COMMENT COLUMN vote_tx_hash 'Transaction of that vote; NULL if there is none or it is not known',
    COMMENT COLUMN voting_power_atto 'Power of the pool''s own vote, or that it would have, after deductions',
    COMMENT COLUMN delegator_power_atto 'Power of these delegators in this pool',
    COMMENT COLUMN delegator_yes_atto 'Of it, for yes',
    COMMENT COLUMN delegator_abstain_atto 'Of it, for abstain',
    COMMENT COLUMN delegator_no_atto 'Of it, for no',
    COMMENT COLUMN delegator_no_with_veto_atto 'Of it, for no with veto',
    COMMENT COLUMN yes_atto 'The pool''s whole part for yes: its own vote and its delegators''',
    COMMENT COLUMN abstain_atto 'The same for abstain',
    COMMENT COLUMN no_atto 'The same for no',
    COMMENT COLUMN no_with_veto_atto 'The same for no with veto',
    COMMENT COLUMN version 'Position of the event this row follows';
ALTER TABLE {database}.missed_votes{on_cluster}
    COMMENT COLUMN operator_address 'The pool',
    COMMENT COLUMN proposal_id 'The chain''s id',
    COMMENT COLUMN round 'Voting round',
    COMMENT COLUMN version 'Position of the event this row follows';
ALTER TABLE {database}.tallies{on_cluster}
    COMMENT COLUMN proposal_id 'The chain''s id',
    COMMENT COLUMN round 'Voting round; 2 after an expedited vote failed',
    COMMENT COLUMN yes 'Served number, whole base units: the chain''s once it has tallied, else live',
    COMMENT COLUMN abstain 'The same for abstain',
    COMMENT COLUMN no 'The same for no',
    COMMENT COLUMN no_with_veto 'The same for no with veto',
    COMMENT COLUMN chain_abstain 'The same for abstain',
    COMMENT COLUMN chain_no 'The same for no',
    COMMENT COLUMN chain_no_with_veto 'The same for no with veto',
    COMMENT COLUMN live_abstain_atto 'The same for abstain',
    COMMENT COLUMN live_no_atto 'The same for no',
    COMMENT COLUMN live_no_with_veto_atto 'The same for no with veto',
    COMMENT COLUMN final 'True if the numbers cannot change any more',
    COMMENT COLUMN matches_chain 'yes, no, unknown: whether the recomputed tally equals the chain''s tally to the unit',
    COMMENT COLUMN matches_chain_reason 'Why no or unknown; NULL when yes',
    COMMENT COLUMN quorum 'Minimum turnout for a valid vote',
    COMMENT COLUMN veto_threshold 'Share of no with veto above which the proposal is rejected',
    COMMENT COLUMN pools_voted 'Pools whose operator voted',
    COMMENT COLUMN ballots 'Voters with a ballot',
    COMMENT COLUMN reported 'True if the numbers are those that the node reported during the vote: those of the pools are not known',
    COMMENT COLUMN version 'Position of the event this row follows';
ALTER TABLE {database}.dead_letters{on_cluster}
    COMMENT COLUMN offset 'Offset in the log; 0 for a row without a record',
    COMMENT COLUMN height 'Block height',
    COMMENT COLUMN proposal_id 'The proposal whose history is partial because of it; 0 if unknown',
    COMMENT COLUMN reason 'Why it is a dead letter',
    COMMENT COLUMN value 'The unchanged record',
    COMMENT COLUMN version 'Position of the event; 0 if not known';
ALTER TABLE {database}.watermarks{on_cluster}
    COMMENT COLUMN proposal_id 'The proposal',
    COMMENT COLUMN position 'Of the latest event that any fact of this proposal follows';
ALTER TABLE {database}.checkpoints{on_cluster}
    COMMENT COLUMN next_offset 'First log offset that is not projected: the version',
    COMMENT COLUMN chain_id 'The chain',
    COMMENT COLUMN tip 'Latest height of the node at the last observation',
    COMMENT COLUMN written_at 'Wall clock of the last heartbeat; if it is older than a few seconds, Rollcall is not running',
    COMMENT COLUMN history 'JSON of how far earlier votes are recomputed: total, done, unreachable, reason, at. Empty if there are none';
ALTER TABLE {database}.claims{on_cluster}
    COMMENT COLUMN state 'started, denied, completed; the first completed one of a registration is permanent';
ALTER TABLE {database}.revocations{on_cluster}
    COMMENT COLUMN kind 'access_token, or identity_assertion, which ends the registration and all its tokens',
    COMMENT COLUMN subject 'Subject of the token: a registration, or a client without one',
    COMMENT COLUMN revoked_at 'When the token was revoked'
