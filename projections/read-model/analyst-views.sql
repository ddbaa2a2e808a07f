-- The views of analysts, with one row per key, over the tables of one generation. Every
-- statement runs again at each start and after each switch of generations.
-- Amounts are in the chain's base unit, exact to 1e-18; *_share and turnout are fractions of 1.
-- NULL means that the value is unknown. Names are stable: columns are only added.
-- COMMENT {proposals.title} is the comment of that column of the table: the view shows its values unchanged.
-- Placeholders beside {control}, {database} and {generation} are SQL that the API also uses (contract/analyst-views.ts).
-- Many programs that read files do not support UInt256, so whole units are Decimal(76, 0). They are converted as text: an
-- amount with too many digits fails the query, while toDecimal256 of a UInt256 would return a wrong number.

CREATE OR REPLACE VIEW {control}.v_proposals{on_cluster}
(
    proposal_id UInt64 COMMENT {proposals.proposal_id},
    title String COMMENT {proposals.title},
    summary String COMMENT {proposals.summary},
    metadata String COMMENT {proposals.metadata},
    proposer Nullable(String) COMMENT {proposals.proposer},
    message_types Array(String) COMMENT 'Type URLs of the first 20 messages, in order',
    message_count UInt32 COMMENT {proposals.message_count},
    further_message_types Array(String) COMMENT {proposals.further_message_types},
    messages String COMMENT {proposals.messages},
    status LowCardinality(String) COMMENT 'deposit_period, voting_period, passed, rejected, failed (passed, but a message failed), canceled, dropped (deposit not met)',
    expedited Bool COMMENT {proposals.expedited},
    round UInt16 COMMENT {proposals.round},
    failed_reason Nullable(String) COMMENT {proposals.failed_reason},
    submit_time Nullable(DateTime64(9, 'UTC')) COMMENT {proposals.submit_time},
    deposit_end_time Nullable(DateTime64(9, 'UTC')) COMMENT {proposals.deposit_end_time},
    voting_start_time Nullable(DateTime64(9, 'UTC')) COMMENT {proposals.voting_start_time},
    voting_end_time Nullable(DateTime64(9, 'UTC')) COMMENT {proposals.voting_end_time},
    closed_time Nullable(DateTime64(9, 'UTC')) COMMENT {proposals.closed_time},
    closed_height Nullable(UInt64) COMMENT {proposals.closed_height},
    total_deposit Array(Tuple(denom String, amount String)) COMMENT {proposals.total_deposit},
    submitted_height Nullable(UInt64) COMMENT {proposals.submitted_height},
    submitted_tx_hash Nullable(String) COMMENT {proposals.submitted_tx_hash},
    history LowCardinality(String) COMMENT 'complete; partial if some of its facts are missing; reconstructed if its vote ended before the first indexed height and was recomputed from past states of the chain',
    history_reason Nullable(String) COMMENT {proposals.history_reason},
    final Bool COMMENT 'True if none of its facts can change any more',
    updated_height UInt64 COMMENT 'Height of the latest fact of it, votes included',
    updated_time DateTime64(9, 'UTC') COMMENT 'Block time of the latest fact of it, votes included',
    changes_reason Nullable(String) COMMENT 'Why the parameters that it changes are unknown; NULL if v_proposal_changes has all of them',
    min_deposit Array(Tuple(denom String, amount String)) COMMENT {proposals.min_deposit},
    expedited_min_deposit Array(Tuple(denom String, amount String)) COMMENT {proposals.expedited_min_deposit},
    min_deposit_reason Nullable(String) COMMENT {proposals.min_deposit_reason},
    title_source LowCardinality(String) COMMENT {proposals.title_source},
    summary_source LowCardinality(String) COMMENT {proposals.summary_source},
    authors Array(String) COMMENT {proposals.authors},
    forum_url Nullable(String) COMMENT {proposals.forum_url},
    outcome_reason LowCardinality(Nullable(String)) COMMENT 'Why it was rejected: quorum_not_reached, vetoed, threshold_not_met. NULL if it was not rejected, or if a number is unknown'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    p.proposal_id AS proposal_id, title, summary, metadata, proposer, message_types,
    message_count, further_message_types, messages, status,
    expedited, p.round AS round, failed_reason, submit_time, deposit_end_time, voting_start_time,
    voting_end_time, closed_time, closed_height, total_deposit, submitted_height, submitted_tx_hash,
    history, history_reason, toBool(ifNull(w.final, false)) AS final,
    intDiv(greatest(p.version, ifNull(w.position, 0)), 4294967296) AS updated_height,
    ifNull(w.time, toDateTime64(0, 9, 'UTC')) AS updated_time,
    JSONExtract(changes, 'reason', 'Nullable(String)') AS changes_reason,
    min_deposit, expedited_min_deposit, min_deposit_reason,
    title_source, summary_source, authors, forum_url,
    multiIf(
        status != 'rejected' OR isNull(t.voted) OR isNull(t.bonded) OR t.bonded = 0, NULL,
        isNull(coalesce(t.quorum_atto, t.threshold_atto, t.veto_atto)), NULL,
        t.quorum_atto IS NOT NULL AND NOT {is_quorate}, 'quorum_not_reached',
        t.veto_atto IS NOT NULL AND t.voted > 0 AND {is_vetoed}, 'vetoed',
        isNull(t.threshold_atto) OR (t.voted > t.abstained AND {is_above_threshold}), NULL,
        'threshold_not_met'
    ) AS outcome_reason
FROM (SELECT * FROM {database}.proposals FINAL) AS p
LEFT JOIN (SELECT * FROM {database}.watermarks FINAL) AS w ON p.proposal_id = w.proposal_id
LEFT JOIN
(
    SELECT
        proposal_id, round, toInt256(bonded_tokens) AS bonded,
        toInt256(ifNull(yes, 0)) AS for_yes, toInt256(ifNull(abstain, 0)) AS abstained,
        toInt256(ifNull(no_with_veto, 0)) AS for_veto,
        intDiv(voting_power_atto, {atto}) AS voted,
        reinterpret(toDecimal256OrNull(ifNull(quorum, ''), 18), 'Int256') AS quorum_atto,
        reinterpret(toDecimal256OrNull(ifNull(threshold, ''), 18), 'Int256') AS threshold_atto,
        reinterpret(toDecimal256OrNull(ifNull(veto_threshold, ''), 18), 'Int256') AS veto_atto
    FROM (SELECT * FROM {database}.tallies FINAL)
) AS t ON t.proposal_id = p.proposal_id AND t.round = p.round
COMMENT 'One row per proposal';

CREATE OR REPLACE VIEW {control}.v_proposal_messages{on_cluster}
(
    proposal_id UInt64 COMMENT 'The chain''s id',
    message UInt32 COMMENT 'Index of the message in the proposal, from 0',
    type String COMMENT 'Type URL of the message',
    json String COMMENT 'The message in the JSON of the node''s REST API: its @type and its fields, nested messages too'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    proposal_id, toUInt32(position - 1) AS message, JSONExtractString(json, '@type') AS type, json
FROM (SELECT proposal_id, JSONExtractArrayRaw(messages) AS list FROM {database}.proposals FINAL)
ARRAY JOIN list AS json, arrayEnumerate(list) AS position
COMMENT 'One row per message that the chain executes if the proposal passes';

CREATE OR REPLACE VIEW {control}.v_proposal_changes{on_cluster}
(
    proposal_id UInt64 COMMENT 'The chain''s id',
    message UInt32 COMMENT 'Index of the message that makes the change, or that contains the message that makes it',
    path String COMMENT 'The parameter: a.b for nested members, subspace/key for one of the params module',
    `from` String COMMENT 'JSON of the current value: at the submission, or at its last change while the proposal was open; null if absent',
    `to` String COMMENT 'JSON of the value that the message sets; null if absent'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    proposal_id, toUInt32(JSONExtractUInt(change, 'message')) AS message,
    JSONExtractString(change, 'path') AS path,
    JSONExtractRaw(change, 'from') AS `from`, JSONExtractRaw(change, 'to') AS `to`
FROM {database}.proposals FINAL
ARRAY JOIN JSONExtractArrayRaw(changes, 'changes') AS change
COMMENT 'One row per parameter that a proposal changes; if they are unknown, changes_reason in v_proposals has the reason';

CREATE OR REPLACE VIEW {control}.v_tallies{on_cluster}
(
    proposal_id UInt64 COMMENT {tallies.proposal_id},
    round UInt16 COMMENT {tallies.round},
    yes Nullable(Decimal(76, 0)) COMMENT 'Stake for yes, whole base units: the chain''s number once it has tallied, live before',
    abstain Nullable(Decimal(76, 0)) COMMENT 'Stake for abstain, as yes',
    no Nullable(Decimal(76, 0)) COMMENT 'Stake for no, as yes',
    no_with_veto Nullable(Decimal(76, 0)) COMMENT 'Stake for no with veto, as yes; NULL alone if the chain has no such option',
    chain_yes Nullable(Decimal(76, 0)) COMMENT 'The chain''s own final tally, whole base units; NULL before its tally',
    chain_abstain Nullable(Decimal(76, 0)) COMMENT 'The chain''s own final tally, whole base units; NULL before its tally',
    chain_no Nullable(Decimal(76, 0)) COMMENT 'The chain''s own final tally, whole base units; NULL before its tally',
    chain_no_with_veto Nullable(Decimal(76, 0)) COMMENT 'The chain''s own final tally, whole base units; NULL before its tally',
    pools_yes Nullable(Decimal(76, 18)) COMMENT 'Sum of yes over v_pool_votes, before the tally''s one truncation',
    pools_abstain Nullable(Decimal(76, 18)) COMMENT 'Sum of abstain over v_pool_votes, before truncation',
    pools_no Nullable(Decimal(76, 18)) COMMENT 'Sum of no over v_pool_votes, before truncation',
    pools_no_with_veto Nullable(Decimal(76, 18)) COMMENT 'Sum of no_with_veto over v_pool_votes, before truncation',
    voted_tokens Nullable(Decimal(76, 0)) COMMENT 'Stake that voted: yes + abstain + no + no_with_veto, unless weights of votes do not add up to 1',
    bonded_tokens Nullable(Decimal(76, 0)) COMMENT 'All bonded stake, the quorum''s denominator: as of the tally, or now',
    turnout Nullable(Float64) COMMENT 'voted_tokens / bonded_tokens',
    yes_share Nullable(Float64) COMMENT 'yes / (yes + no + no_with_veto), compared with the threshold; NULL without such votes',
    veto_share Nullable(Float64) COMMENT 'no_with_veto / voted_tokens, compared with the veto threshold; NULL without votes',
    quorum Nullable(Decimal(38, 18)) COMMENT {tallies.quorum},
    threshold Nullable(Decimal(38, 18)) COMMENT 'yes_share must be above this, in this round',
    veto_threshold Nullable(Decimal(38, 18)) COMMENT 'veto_share above this rejects; NULL alone if the chain has no veto',
    final Bool COMMENT {tallies.final},
    matches_chain LowCardinality(String) COMMENT {tallies.matches_chain},
    matches_chain_reason Nullable(String) COMMENT {tallies.matches_chain_reason},
    pools_voted Nullable(UInt32) COMMENT {tallies.pools_voted},
    ballots Nullable(UInt32) COMMENT {tallies.ballots},
    pool_rows UInt32 COMMENT 'Rows of this round in v_pool_votes',
    no_share Nullable(Float64) COMMENT 'no / voted_tokens, as veto_share; NULL without votes',
    abstain_share Nullable(Float64) COMMENT 'abstain / voted_tokens, as veto_share; NULL without votes',
    known_by LowCardinality(String) COMMENT 'How it is known: indexed, or reconstructed from past states of the chain',
    rule LowCardinality(String) COMMENT 'Name of the tally rule; empty if it is not known',
    rule_proved_height Nullable(UInt64) COMMENT {tallies.rule_proved_height},
    reported Bool COMMENT {tallies.reported},
    stake_height Nullable(UInt64) COMMENT {tallies.stake_height}
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    proposal_id, round,
    toDecimal256(toString(yes), 0) AS yes, toDecimal256(toString(abstain), 0) AS abstain,
    toDecimal256(toString(no), 0) AS no, toDecimal256(toString(no_with_veto), 0) AS no_with_veto,
    toDecimal256(toString(chain_yes), 0) AS chain_yes, toDecimal256(toString(chain_abstain), 0) AS chain_abstain,
    toDecimal256(toString(chain_no), 0) AS chain_no,
    toDecimal256(toString(chain_no_with_veto), 0) AS chain_no_with_veto,
    reinterpret(live_yes_atto, 'Decimal(76, 18)') AS pools_yes,
    reinterpret(live_abstain_atto, 'Decimal(76, 18)') AS pools_abstain,
    reinterpret(live_no_atto, 'Decimal(76, 18)') AS pools_no,
    reinterpret(live_no_with_veto_atto, 'Decimal(76, 18)') AS pools_no_with_veto,
    toDecimal256(reinterpret(voting_power_atto, 'Decimal(76, 18)'), 0) AS voted_tokens,
    toDecimal256(toString(bonded_tokens), 0) AS bonded_tokens,
    if(bonded_tokens = 0, NULL, toFloat64(voted_tokens) / toFloat64(bonded_tokens)) AS turnout,
    if(voted_tokens = ifNull(abstain, toDecimal256(0, 0)), NULL,
        toFloat64(yes) / toFloat64(voted_tokens - ifNull(abstain, toDecimal256(0, 0)))) AS yes_share,
    if(voted_tokens = 0, NULL, toFloat64(no_with_veto) / toFloat64(voted_tokens)) AS veto_share,
    toDecimal128OrNull(ifNull(quorum, ''), 18) AS quorum,
    toDecimal128OrNull(ifNull(threshold, ''), 18) AS threshold,
    toDecimal128OrNull(ifNull(veto_threshold, ''), 18) AS veto_threshold,
    final, matches_chain, matches_chain_reason, pools_voted, ballots, pool_rows,
    if(voted_tokens = 0, NULL, toFloat64(no) / toFloat64(voted_tokens)) AS no_share,
    if(voted_tokens = 0, NULL, toFloat64(abstain) / toFloat64(voted_tokens)) AS abstain_share,
    {known_by} AS known_by,
    rule, rule_proved_height, reported, stake_height
FROM {database}.tallies FINAL
COMMENT 'One row per voting round of a proposal, with its numbers and their limits';

CREATE OR REPLACE VIEW {control}.v_pool_votes{on_cluster}
(
    proposal_id UInt64 COMMENT {pool_votes.proposal_id},
    round UInt16 COMMENT {pool_votes.round},
    rank UInt32 COMMENT {pool_votes.rank},
    operator_address String COMMENT {pool_votes.operator_address},
    moniker String COMMENT {pool_votes.moniker},
    status LowCardinality(String) COMMENT {pool_votes.status},
    jailed Bool COMMENT {pool_votes.jailed},
    voted Bool COMMENT {pool_votes.voted},
    choice LowCardinality(Nullable(String)) COMMENT 'yes, abstain, no, no_with_veto, or split for a weighted vote; NULL if the operator did not vote',
    options Array(Tuple(option String, weight String)) COMMENT {pool_votes.options},
    vote_height Nullable(UInt64) COMMENT 'Height of that vote; NULL if there is none, or if it is not known',
    vote_time Nullable(DateTime64(9, 'UTC')) COMMENT 'Block time of that vote, NULL likewise',
    vote_tx_hash Nullable(String) COMMENT 'Transaction of that vote, NULL likewise',
    bonded_tokens Nullable(Decimal(76, 0)) COMMENT 'All stake of the pool, whole base units',
    voting_power Nullable(Decimal(76, 18)) COMMENT 'Power of the operator''s vote after its delegators'' own votes are deducted; also set if the operator did not vote',
    delegator_ballots UInt32 COMMENT {pool_votes.delegator_ballots},
    delegator_power Nullable(Decimal(76, 18)) COMMENT 'Stake in this pool of those delegators',
    delegator_yes Nullable(Decimal(76, 18)) COMMENT 'Their part for yes',
    delegator_abstain Nullable(Decimal(76, 18)) COMMENT 'Their part for abstain',
    delegator_no Nullable(Decimal(76, 18)) COMMENT 'Their part for no',
    delegator_no_with_veto Nullable(Decimal(76, 18)) COMMENT 'Their part for no with veto',
    yes Nullable(Decimal(76, 18)) COMMENT 'The pool''s whole part for yes: its own vote and its delegators''; the rows add up to the tally',
    abstain Nullable(Decimal(76, 18)) COMMENT 'The pool''s whole part for abstain',
    no Nullable(Decimal(76, 18)) COMMENT 'The pool''s whole part for no',
    no_with_veto Nullable(Decimal(76, 18)) COMMENT 'The pool''s whole part for no with veto',
    voted_power Nullable(Decimal(76, 18)) COMMENT 'Stake of the pool that voted: of its delegators, and its own if the operator voted',
    turnout Nullable(Float64) COMMENT 'voted_power / bonded_tokens: 1 if the operator voted, the delegators'' part if only they did',
    known_by LowCardinality(String) COMMENT 'How it is known: indexed, or reconstructed from past states of the chain',
    counted Bool COMMENT 'False if tallies leave the pool out, although it is bonded and not jailed'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    proposal_id, round, rank, operator_address, moniker, status, jailed, voted,
    multiIf(NOT voted, NULL, length(options) = 1, options[1].option, 'split') AS choice,
    options, vote_height, vote_time, vote_tx_hash,
    toDecimal256(toString(bonded_tokens), 0) AS bonded_tokens,
    reinterpret(voting_power_atto, 'Decimal(76, 18)') AS voting_power,
    delegator_ballots,
    reinterpret(delegator_power_atto, 'Decimal(76, 18)') AS delegator_power,
    reinterpret(delegator_yes_atto, 'Decimal(76, 18)') AS delegator_yes,
    reinterpret(delegator_abstain_atto, 'Decimal(76, 18)') AS delegator_abstain,
    reinterpret(delegator_no_atto, 'Decimal(76, 18)') AS delegator_no,
    reinterpret(delegator_no_with_veto_atto, 'Decimal(76, 18)') AS delegator_no_with_veto,
    reinterpret(yes_atto, 'Decimal(76, 18)') AS yes,
    reinterpret(abstain_atto, 'Decimal(76, 18)') AS abstain,
    reinterpret(no_atto, 'Decimal(76, 18)') AS no,
    reinterpret(no_with_veto_atto, 'Decimal(76, 18)') AS no_with_veto,
    delegator_power + if(voted, voting_power, toDecimal256(0, 18)) AS voted_power,
    if(bonded_tokens = 0, NULL, toFloat64(voted_power) / toFloat64(bonded_tokens)) AS turnout,
    {known_by} AS known_by, counted
FROM {database}.pool_votes FINAL
COMMENT 'One row per pool that voted, or whose delegators did, and round of a proposal';

CREATE OR REPLACE VIEW {control}.v_turnout{on_cluster}
(
    proposal_id UInt64 COMMENT 'The chain''s id',
    round UInt16 COMMENT 'Voting round',
    height Nullable(UInt64) COMMENT 'Height of these ballots; NULL if it is not known',
    time Nullable(DateTime64(9, 'UTC')) COMMENT 'Block time of that height, NULL likewise',
    ballots UInt64 COMMENT 'Voters whose last ballot is at this height or before',
    voted_power Nullable(Decimal(76, 18)) COMMENT 'Their power in the tally; NULL before the tally, or if a power is unknown or the powers do not add up to the tally',
    turnout Nullable(Float64) COMMENT 'voted_power / bonded stake of the tally, NULL likewise',
    quorum_reached Nullable(Bool) COMMENT 'Whether turnout is at least the quorum, with the rounding of the chain; NULL if unknown. The first height with true is the moment'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS WITH ifNull(
    t.final AND c.unknown_powers = 0 AND abs(intDiv(c.whole_power, toInt256('1000000000000000000')) - t.voted) <= {max_truncated_units},
    false
) AS is_known
SELECT
    c.proposal_id AS proposal_id, c.round AS round, c.height AS height, c.time AS time, c.ballots AS ballots,
    if(is_known, reinterpret(c.power, 'Decimal(76, 18)'), NULL) AS voted_power,
    if(is_known AND t.bonded > 0, toFloat64(c.power) / 1e18 / toFloat64(t.bonded), NULL) AS turnout,
    if(is_known AND t.bonded > 0, toBool({reaches_quorum}), NULL) AS quorum_reached
FROM
(
    SELECT
        proposal_id, round, height, time,
        sum(sum(is_ballot)) OVER so_far AS ballots,
        sum(sum(ifNull(atto, toInt256(0)))) OVER so_far AS power,
        sum(sum(ifNull(atto, toInt256(0)))) OVER whole AS whole_power,
        sum(countIf(isNull(atto))) OVER whole AS unknown_powers
    FROM ({cast_power})
    GROUP BY proposal_id, round, height, time
    WINDOW
        so_far AS (PARTITION BY proposal_id, round ORDER BY ifNull(height, 0) ROWS UNBOUNDED PRECEDING),
        whole AS (PARTITION BY proposal_id, round)
) AS c
INNER JOIN
(
    SELECT
        proposal_id, round, final, toInt256(bonded_tokens) AS bonded,
        reinterpret(toDecimal256OrNull(ifNull(quorum, ''), 18), 'Int256') AS quorum_atto,
        intDiv(voting_power_atto, {atto}) AS voted
    FROM {database}.tallies FINAL
) AS t ON t.proposal_id = c.proposal_id AND t.round = c.round
COMMENT 'Turnout of each round over time: one row per height with a ballot that counts';

CREATE OR REPLACE VIEW {control}.v_ballots{on_cluster}
(
    proposal_id UInt64 COMMENT {ballots.proposal_id},
    round UInt16 COMMENT {ballots.round},
    rank UInt32 COMMENT {ballots.rank},
    voter String COMMENT {ballots.voter},
    choice LowCardinality(String) COMMENT 'yes, abstain, no, no_with_veto, or split for a weighted vote',
    options Array(Tuple(option String, weight String)) COMMENT {ballots.options},
    counted Bool COMMENT {ballots.counted},
    height Nullable(UInt64) COMMENT {ballots.height},
    time Nullable(DateTime64(9, 'UTC')) COMMENT 'Block time of the vote, NULL likewise',
    tx_hash Nullable(String) COMMENT {ballots.tx_hash},
    voting_power Nullable(Decimal(76, 18)) COMMENT 'Sum over the delegations, as the tally counted it; NULL before the tally',
    delegations_known Bool COMMENT {ballots.delegations_known},
    delegations Array(Tuple(operator_address String, shares String)) COMMENT 'The voter''s delegations, as of the tally or now; v_delegator_votes has one row for each',
    known_by LowCardinality(String) COMMENT 'How it is known: indexed, or reconstructed from past states of the chain'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    proposal_id, round, rank, voter,
    if(length(options) = 1, options[1].option, 'split') AS choice,
    options, counted, height, time, tx_hash,
    reinterpret(voting_power_atto, 'Decimal(76, 18)') AS voting_power, delegations_known,
    arrayMap(d -> (d.operator_address, d.shares), delegations) AS delegations,
    {known_by} AS known_by
FROM {database}.ballots FINAL
WHERE in_state
COMMENT 'The current ballot of each voter, per round of a proposal; v_votes has every vote cast';

CREATE OR REPLACE VIEW {control}.v_delegator_votes{on_cluster}
(
    proposal_id UInt64 COMMENT 'The chain''s id',
    round UInt16 COMMENT 'Voting round',
    voter String COMMENT 'Account address of the delegator',
    choice LowCardinality(String) COMMENT 'The delegator''s: yes, abstain, no, no_with_veto, or split for a weighted vote',
    time Nullable(DateTime64(9, 'UTC')) COMMENT 'Block time of the delegator''s vote; NULL if it is not known',
    operator_address String COMMENT 'The pool it delegates to',
    moniker String COMMENT 'That pool''s name, as of the tally or now',
    is_operator Bool COMMENT 'True for the operator''s own stake in its own pool: that vote is the pool''s',
    shares Decimal(76, 18) COMMENT 'Shares delegated to that pool, as of the tally or now',
    power Nullable(Decimal(76, 18)) COMMENT 'Power of these shares as the tally counted it, or to about 18 digits before the tally; 0 if the pool does not count',
    pool_voted Bool COMMENT 'True if the pool''s operator voted: then this vote takes power from it',
    pool_choice LowCardinality(Nullable(String)) COMMENT 'The pool''s own choice; NULL if its operator did not vote',
    disagrees Bool COMMENT 'True if both voted and the votes differ',
    options Array(Tuple(option String, weight String)) COMMENT 'The delegator''s vote with its weights',
    height Nullable(UInt64) COMMENT 'Height of the delegator''s vote; NULL if it is not known',
    pool_options Array(Tuple(option String, weight String)) COMMENT 'The vote of the pool''s operator with its weights; empty if it did not vote',
    pool_height Nullable(UInt64) COMMENT 'Height of that vote; NULL if there is none, or if it is not known'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    b.proposal_id AS proposal_id, b.round AS round, b.voter AS voter,
    if(length(b.options) = 1, b.options[1].option, 'split') AS choice,
    b.time AS time, b.operator_address AS operator_address, ifNull(v.moniker, '') AS moniker,
    toBool(b.voter_key = ifNull(a.account_key, '')) AS is_operator, b.shares AS shares,
    multiIf(
        b.exact_power IS NOT NULL, b.exact_power,
        ifNull(s.delegator_shares, 0) = 0, NULL,
        v.status != 'bonded' OR v.jailed, toDecimal256(0, 18),
        CAST(
            b.shares * (toDecimal256(toString(s.tokens), 18) / if(ifNull(s.delegator_shares, 0) = 0, toDecimal256(1, 18), s.delegator_shares)),
            'Decimal(76, 18)'
        )
    ) AS power,
    toBool(ifNull(v.voted, false)) AS pool_voted,
    multiIf(NOT pool_voted, NULL, length(v.options) = 1, v.options[1].option, 'split') AS pool_choice,
    toBool(pool_voted AND NOT is_operator AND arraySort(b.options) != arraySort(v.options)) AS disagrees,
    b.options AS options, b.height AS height, v.options AS pool_options, v.vote_height AS pool_height
FROM
(
    SELECT
        proposal_id, round, voter, voter_key, options, height, time, d.operator_address AS operator_address,
        toDecimal256(d.shares, 18) AS shares,
        reinterpret(d.voting_power_atto, 'Decimal(76, 18)') AS exact_power
    FROM {database}.ballots FINAL
    ARRAY JOIN delegations AS d
    WHERE counted AND in_state
) AS b
LEFT JOIN
(
    SELECT *, intDiv(version, 4294967296) AS seen_height FROM {database}.pool_votes FINAL
) AS v ON b.proposal_id = v.proposal_id AND b.round = v.round AND b.operator_address = v.operator_address
LEFT JOIN (SELECT * FROM {database}.pools FINAL) AS a ON b.operator_address = a.operator_address
ASOF LEFT JOIN (SELECT * FROM {database}.pool_states FINAL) AS s
    ON b.operator_address = s.operator_address AND v.seen_height >= s.height
COMMENT 'One row per counted ballot and delegation of its voter, with the vote of the pool';

CREATE OR REPLACE VIEW {control}.v_overrides{on_cluster}
(
    proposal_id UInt64 COMMENT 'The chain''s id',
    round UInt16 COMMENT 'Voting round',
    delegator String COMMENT 'Account address of the delegator that voted itself',
    operator_address String COMMENT 'The pool whose vote does not count for this stake: the validator''s operator address',
    moniker String COMMENT 'That pool''s name, as of the tally or now',
    delegator_choice LowCardinality(String) COMMENT 'yes, abstain, no, no_with_veto, or split for a weighted vote',
    pool_choice LowCardinality(String) COMMENT 'The same for the pool''s operator',
    delegator_options Array(Tuple(option String, weight String)) COMMENT 'The delegator''s vote with its weights',
    pool_options Array(Tuple(option String, weight String)) COMMENT 'The vote of the pool''s operator with its weights',
    disagrees Bool COMMENT 'True if the two votes differ: then the override changes the tally',
    shares Decimal(76, 18) COMMENT 'Shares that the delegator has in the pool, as of the tally or now',
    power Nullable(Decimal(76, 18)) COMMENT 'Voting power that the pool''s vote lost to the delegator''s: as power in v_delegator_votes',
    height Nullable(UInt64) COMMENT 'Height of the delegator''s vote; NULL if it is not known',
    pool_height Nullable(UInt64) COMMENT 'Height of the pool''s vote, NULL likewise'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    proposal_id, round, voter AS delegator, operator_address, moniker,
    choice AS delegator_choice, ifNull(d.pool_choice, '') AS pool_choice,
    options AS delegator_options, pool_options, disagrees, shares, power, height, pool_height
FROM {control}.v_delegator_votes AS d
WHERE pool_voted AND NOT is_operator
COMMENT 'One row per delegator that voted itself and pool that also voted, equal votes included';

CREATE OR REPLACE VIEW {control}.v_deposits{on_cluster}
(
    position UInt64 COMMENT 'height · 2^32 + index: order on the chain; the key, with denom',
    proposal_id UInt64 COMMENT 'The chain''s id',
    depositor Nullable(String) COMMENT 'Account address; NULL if neither the chain''s events nor the transaction name it',
    depositor_reason Nullable(String) COMMENT 'Why depositor is NULL; NULL if it is not NULL',
    denom String COMMENT 'Base unit of the coin',
    amount Nullable(Decimal(76, 0)) COMMENT 'Amount of this deposit, in whole base units; NULL if it has more than 76 digits',
    amount_text String COMMENT 'The same as text, of any size',
    height UInt64 COMMENT 'Height of the deposit',
    time DateTime64(9, 'UTC') COMMENT 'Block time of the deposit',
    tx_hash Nullable(String) COMMENT 'NULL if no transaction made it'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    position, proposal_id, JSONExtract(data, 'depositor', 'Nullable(String)') AS depositor,
    JSONExtract(data, 'depositorReason', 'Nullable(String)') AS depositor_reason,
    coin.denom AS denom, toDecimal256OrNull(coin.amount, 0) AS amount, coin.amount AS amount_text,
    height, time, JSONExtract(data, 'txHash', 'Nullable(String)') AS tx_hash
FROM
(
    SELECT position, proposal_id, height, time, JSONExtractRaw(event, 'data') AS data
    FROM {database}.events FINAL
    WHERE type = 'rollcall.proposal.deposited.v1'
)
ARRAY JOIN JSONExtract(data, 'amount', 'Array(Tuple(denom String, amount String))') AS coin
COMMENT 'One row per deposit on a proposal and coin, since the first indexed height; an empty deposit has no row';

CREATE OR REPLACE VIEW {control}.v_votes{on_cluster}
(
    position UInt64 COMMENT 'height · 2^32 + index: order on the chain, and the key',
    proposal_id UInt64 COMMENT 'The chain''s id',
    round UInt16 COMMENT 'Voting round',
    voter Nullable(String) COMMENT 'Account address; NULL if the chain''s events do not name the voter',
    choice LowCardinality(String) COMMENT 'yes, abstain, no, no_with_veto, or split for a weighted vote',
    options Array(Tuple(option String, weight String)) COMMENT 'The vote with its weights, to 18 decimals',
    counted Bool COMMENT 'False for a vote after its own proposal''s tally, in the same end block',
    height UInt64 COMMENT 'Height of the vote',
    time DateTime64(9, 'UTC') COMMENT 'Block time of the vote',
    tx_hash Nullable(String) COMMENT 'NULL if no transaction cast it: messages of proposals can vote too'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    position, proposal_id, JSONExtractUInt(data, 'round') AS round,
    JSONExtract(data, 'voter', 'Nullable(String)') AS voter,
    if(length(options) = 1, options[1].option, 'split') AS choice,
    JSONExtract(data, 'options', 'Array(Tuple(option String, weight String))') AS options,
    toBool(JSONExtractBool(data, 'counted')) AS counted, height, time,
    JSONExtract(data, 'txHash', 'Nullable(String)') AS tx_hash
FROM
(
    SELECT position, proposal_id, height, time, JSONExtractRaw(event, 'data') AS data
    FROM {database}.events FINAL
    WHERE type = 'rollcall.vote.cast.v1'
)
COMMENT 'Every vote cast since the first indexed height, including votes that changed later';

CREATE OR REPLACE VIEW {control}.v_pools{on_cluster}
(
    operator_address String COMMENT {pools.operator_address},
    account_address String COMMENT {pools.account_address},
    moniker String COMMENT {pools.moniker},
    tokens Decimal(76, 0) COMMENT 'All stake of the pool, whole base units',
    delegator_shares Decimal(76, 18) COMMENT 'Shares of all its delegators; tokens / delegator_shares is the value of one share',
    status LowCardinality(String) COMMENT {pools.status},
    jailed Bool COMMENT {pools.jailed},
    bonded_share Float64 COMMENT 'Its part of all bonded stake; 0 if it is not bonded',
    updated_height UInt64 COMMENT 'Height at which this state was observed',
    counted Bool COMMENT {pools.counted}
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    operator_address, account_address, moniker, toDecimal256(toString(tokens), 0) AS tokens, delegator_shares,
    status, jailed,
    if(status = 'bonded', toFloat64(tokens) / sumIf(toFloat64(tokens), status = 'bonded') OVER (), 0) AS bonded_share,
    intDiv(version, 4294967296) AS updated_height, counted
FROM {database}.pools FINAL
COMMENT 'The current state of each pool';

CREATE OR REPLACE VIEW {control}.v_pool_states{on_cluster}
(
    operator_address String COMMENT {pool_states.operator_address},
    position UInt64 COMMENT 'height · 2^32 + index: order on the chain; the key, with operator_address',
    height UInt64 COMMENT {pool_states.height},
    time DateTime64(9, 'UTC') COMMENT 'Block time of that height',
    moniker String COMMENT {pool_states.moniker},
    tokens Decimal(76, 0) COMMENT 'All stake of the pool, whole base units',
    delegator_shares Decimal(76, 18) COMMENT {pool_states.delegator_shares},
    status LowCardinality(String) COMMENT {pool_states.status},
    jailed Bool COMMENT {pool_states.jailed},
    counted Bool COMMENT 'False if tallies leave the pool out, although it is bonded and not jailed'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    operator_address, position, height, time, moniker, toDecimal256(toString(tokens), 0) AS tokens,
    delegator_shares, status, jailed, counted
FROM {database}.pool_states FINAL
COMMENT 'The history of each pool''s state: one row per observed change, for ASOF joins';

CREATE OR REPLACE VIEW {control}.v_voter_stakes{on_cluster}
(
    voter String COMMENT {voter_stakes.voter},
    position UInt64 COMMENT 'height · 2^32 + index: valid from this position until the voter''s next row',
    height UInt64 COMMENT 'Height of that position',
    time DateTime64(9, 'UTC') COMMENT 'Block time of that height',
    delegations_known Bool COMMENT {voter_stakes.delegations_known},
    delegations Array(Tuple(operator_address String, shares String)) COMMENT 'All delegations of the voter'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT voter, position, height, time, delegations_known, delegations
FROM {database}.voter_stakes FINAL
COMMENT 'The history of each voter''s delegations, from its first ballot on, for ASOF joins';

CREATE OR REPLACE VIEW {control}.v_missed_votes{on_cluster}
(
    operator_address String COMMENT {missed_votes.operator_address},
    proposal_id UInt64 COMMENT {missed_votes.proposal_id},
    round UInt16 COMMENT 'The last voting round of the proposal',
    moniker String COMMENT 'The pool''s name as of the tally',
    title String COMMENT 'The title of the proposal',
    bonded_tokens Nullable(Decimal(76, 0)) COMMENT 'All stake of the pool as of the tally, whole base units',
    voting_power Nullable(Decimal(76, 18)) COMMENT 'Power that the vote of the pool would have had, NULL likewise'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    m.operator_address AS operator_address, m.proposal_id AS proposal_id, m.round AS round,
    if(m.moniker = '', ifNull(o.moniker, ''), m.moniker) AS moniker, p.title AS title,
    toDecimal256(toString(m.bonded_tokens), 0) AS bonded_tokens,
    reinterpret(m.voting_power_atto, 'Decimal(76, 18)') AS voting_power
FROM (SELECT * FROM {database}.missed_votes FINAL WHERE {is_missed}) AS m
INNER JOIN (SELECT proposal_id, title FROM {database}.proposals FINAL) AS p ON p.proposal_id = m.proposal_id
LEFT JOIN (SELECT operator_address, moniker FROM {database}.pools FINAL) AS o ON o.operator_address = m.operator_address
COMMENT 'One row per pool and proposal that it missed: the tally that ended the last round counted it, and its operator did not vote in that round';

CREATE OR REPLACE VIEW {control}.v_events{on_cluster}
(
    position UInt64 COMMENT {events.position},
    proposal_id UInt64 COMMENT {events.proposal_id},
    type LowCardinality(String) COMMENT {events.type},
    id String COMMENT {events.id},
    height UInt64 COMMENT {events.height},
    time DateTime64(9, 'UTC') COMMENT {events.time},
    data String COMMENT 'What happened, as JSON; its fields depend on the type',
    event String COMMENT {events.event}
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT position, proposal_id, type, id, height, time, JSONExtractRaw(event, 'data') AS data, event
FROM {database}.events FINAL
COMMENT 'Every event of the log, the source of all other views';

CREATE OR REPLACE VIEW {control}.v_checkpoint{on_cluster}
(
    chain_id String COMMENT 'The chain of the data',
    height UInt64 COMMENT 'Everything up to this height is in the views',
    time DateTime64(9, 'UTC') COMMENT {checkpoints.time},
    tip UInt64 COMMENT {checkpoints.tip},
    lag_events UInt64 COMMENT 'Events of the log that are not in the views yet',
    freshness_seconds Float64 COMMENT 'How long the oldest of these events has been pending; 0 if there is none',
    written_at DateTime64(3, 'UTC') COMMENT {checkpoints.written_at},
    generation UInt32 COMMENT 'Generation of the tables behind the views'
)
DEFINER = CURRENT_USER SQL SECURITY DEFINER
AS SELECT
    chain_id, height, time, tip, lag_events,
    ifNull(dateDiff('millisecond', oldest_waiting_since, written_at) / 1000., 0) AS freshness_seconds,
    written_at, {generation} AS generation
FROM {database}.checkpoints FINAL
COMMENT 'One row: the position of the views';
