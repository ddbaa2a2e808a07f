// Schemas of ballots: in the list of a proposal and in the record of a voter.
import { type Static, Type } from 'typebox'
import { WeightedOption } from '../../ingest/contract/facts.ts'
import { type Columns, createColumns, formatChoices } from './columns.ts'
import {
  component,
  createEnvelope,
  ExactAmount,
  flag,
  Height,
  nullable,
  nullableText,
  PAGING,
  Timestamp,
  truncation,
} from './common.ts'
import { reason } from './vote.ts'

const BallotDelegation = component('BallotDelegation', {
  operatorAddress: Type.String(),
  shares: Type.String(),
  votingPower: nullable(ExactAmount),
})

const ballotFields = {
  voter: Type.String(),
  options: Type.Array(WeightedOption),
  counted: flag('False for a vote after its own tally in the same end block'),
  height: nullable(Height, 'Null for a vote before the first indexed height'),
  time: nullable(Timestamp),
  txHash: nullableText(),
  reason,
  votingPower: nullable(
    ExactAmount,
    'Voting power in the tally; for an open vote, its current value',
  ),
  delegations: nullable(
    Type.Array(BallotDelegation),
    'Null if the node did not report the delegations',
  ),
  ...truncation,
}
export const Ballot = component('Ballot', ballotFields)
export type Ballot = Static<typeof Ballot>

export const BallotPage = createEnvelope('BallotPage', Ballot, PAGING.pastCursor)
/** Of the web UI, with numbered pages. */
export const BallotTablePage = createEnvelope('BallotTablePage', Ballot, PAGING.pastNumbered)

/** The members of a record that identify the vote. */
export const recordFields = {
  proposalId: Type.String(),
  title: Type.String(),
  status: Type.String(),
  round: nullable(
    Type.Integer({ minimum: 1 }),
    'Null if it is not known whether this is the first or the second round',
  ),
}

const RecordFields = Type.Object(recordFields)
export type RecordFields = Static<typeof RecordFields>

const VoterBallot = component('VoterBallot', { ...ballotFields, ...recordFields })
export type VoterBallot = Static<typeof VoterBallot>

export const PoolName = component('PoolName', {
  operatorAddress: Type.String(),
  moniker: Type.String(),
})

export const VoterBallotPage = createEnvelope('VoterBallotPage', VoterBallot, PAGING.numbered, {
  pool: nullable(
    PoolName,
    'The pool that this account operates: its ballots are the votes of the pool',
  ),
})

export const BALLOT_COLUMNS: Columns<Ballot> = {
  voter: (item) => item.voter,
  options: (item) => formatChoices(item.options),
  counted: (item) => item.counted,
  height: (item) => item.height,
  time: (item) => item.time,
  txHash: (item) => item.txHash,
  votingPower: (item) => item.votingPower,
  /** As JSON, because the number of delegations is not limited. */
  delegations: (item) => item.delegations && JSON.stringify(item.delegations),
  reasonMetadata: (item) => item.reason?.metadata,
  reasonMemo: (item) => item.reason?.memo,
}

export const RECORD_COLUMNS = createColumns<RecordFields>(RecordFields)

export const VOTER_BALLOT_COLUMNS: Columns<VoterBallot> = { ...RECORD_COLUMNS, ...BALLOT_COLUMNS }
