// The table `tallies`: one declaration of its names, keys and columns.
import type { TallyRule } from '../../../ingest/contract/tally-rule.ts'
import {
  amount,
  atto,
  bool,
  id,
  label,
  nullable,
  safeInteger,
  text,
  uint16,
  uint32,
  uint64,
} from '../table/column-types.ts'
import { defineTable, type RowOf } from '../table/define-table.ts'

export type MatchesChain = 'yes' | 'no' | 'unknown'

export const tallies = defineTable('tallies', {
  comment: 'One row per voting round of a proposal',
  key: ['proposalId', 'round'],
  version: 'version',
  granularity: 256,
  columns: {
    proposalId: id("The chain's id"),
    round: uint16('Voting round; 2 after an expedited vote failed'),
    yes: nullable(
      amount("Served number, whole base units: the chain's once it has tallied, else live"),
    ),
    abstain: nullable(amount('The same for abstain')),
    no: nullable(amount('The same for no')),
    noWithVeto: nullable(amount('The same for no with veto')),
    chainYes: nullable(amount("The chain's final tally; NULL before the tally")),
    chainAbstain: nullable(amount('The same for abstain')),
    chainNo: nullable(amount('The same for no')),
    chainNoWithVeto: nullable(amount('The same for no with veto')),
    liveYes: nullable(atto('Sum over pool_votes')),
    liveAbstain: nullable(atto('The same for abstain')),
    liveNo: nullable(atto('The same for no')),
    liveNoWithVeto: nullable(atto('The same for no with veto')),
    votingPower: nullable(
      atto(
        'Power of all votes, the numerator of the quorum; NULL if unknown. More or less than the sum of the options if weights do not add up to 1',
      ),
    ),
    final: bool('True if the numbers cannot change any more'),
    matchesChain: label<MatchesChain>(
      "yes, no, unknown: whether the recomputed tally equals the chain's tally to the unit",
    ),
    matchesChainReason: nullable(text('Why no or unknown; NULL when yes')),
    bondedTokens: nullable(amount('Denominator of the quorum, as of the tally or now')),
    quorum: nullable(text('Minimum turnout for a valid vote')),
    threshold: nullable(text('The threshold that applies in this round')),
    vetoThreshold: nullable(text('Share of no with veto above which the proposal is rejected')),
    poolsVoted: nullable(uint32('Pools whose operator voted')),
    ballots: nullable(uint32('Voters with a ballot')),
    poolRows: uint32('Rows of this round in pool_votes'),
    rule: label<TallyRule | ''>('Name of the tally rule; empty if it is not known'),
    ruleProvedHeight: nullable(
      safeInteger(
        'Last height at which the node counted the same during the vote; NULL if there is none',
      ),
    ),
    reported: bool(
      'True if the numbers are those that the node reported during the vote: those of the pools are not known',
    ),
    stakeHeight: nullable(
      safeInteger(
        'Height of the state with the stake of an open vote, as read last; NULL if the tally is final, and before the first reading',
      ),
    ),
    version: uint64('Position of the event this row follows'),
  },
})
export type TallyRow = RowOf<typeof tallies>
