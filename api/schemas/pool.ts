// A validator with the stake delegated to it, and its record of votes.
import { type Static, Type } from 'typebox'
import { recordFields } from './ballot.ts'
import { envelopeOf, WholeAmount } from './common.ts'
import { VoteRecord } from './vote.ts'

const participation = {
  proposalsVoted: Type.Integer({ minimum: 0, description: 'On which it voted itself' }),
  proposalsMissed: Type.Integer({
    minimum: 0,
    description: 'Whose tally it was in without a vote of its own',
  }),
}

export const Pool = Type.Object({
  operatorAddress: Type.String(),
  accountAddress: Type.String(),
  moniker: Type.String(),
  status: Type.String(),
  jailed: Type.Boolean(),
  bondedTokens: WholeAmount,
  ...participation,
})
export type Pool = Static<typeof Pool>

export const PoolPage = envelopeOf(Pool)
const PoolRecord = Type.Object({ ...VoteRecord.properties, ...recordFields })

export const PoolRecordPage = Type.Object(
  { ...envelopeOf(PoolRecord).properties, participation: Type.Object(participation) },
  { additionalProperties: true },
)
