// One pool's part in the vote on a proposal.
import { type Static, Type } from 'typebox'
import { ExactAmount, envelopeOf, Height, nullable, Timestamp, WholeAmount } from './common.ts'

const OptionSums = Type.Object({
  yes: nullable(ExactAmount),
  no: nullable(ExactAmount),
  abstain: nullable(ExactAmount),
  noWithVeto: nullable(ExactAmount),
})

export const VoteRecord = Type.Object({
  rank: Type.Integer({ minimum: 0, description: 'Order of first appearance: never changes' }),
  pool: Type.Object({
    operatorAddress: Type.String(),
    moniker: Type.String(),
    status: Type.String(),
    jailed: Type.Boolean(),
  }),
  /** Null where only delegators voted. */
  vote: nullable(
    Type.Object({
      options: Type.Array(Type.Object({ option: Type.String(), weight: Type.String() })),
      height: nullable(Height),
      time: nullable(Timestamp),
      txHash: nullable(Type.String()),
    }),
  ),
  votingPower: nullable(ExactAmount),
  bondedTokens: nullable(WholeAmount),
  delegators: nullable(
    Type.Object({
      ballots: Type.Integer({ minimum: 0 }),
      votingPower: ExactAmount,
      ...OptionSums.properties,
    }),
  ),
  tally: nullable(OptionSums),
})
export type VoteRecord = Static<typeof VoteRecord>

export const VotePage = envelopeOf(VoteRecord)
