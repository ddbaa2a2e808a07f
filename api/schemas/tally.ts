// Schema of the tally of a round: its numbers, their limits, and how they are known.
import { type Static, Type } from 'typebox'
import { TallyRule } from '../../ingest/contract/tally-rule.ts'
import { component, count, flag, Height, nullable, nullableText, WholeAmount } from './common.ts'

const sum = () =>
  nullable(
    WholeAmount,
    'Null alone: the chain has no such option. All null: the tally is not known',
  )
const limit = () =>
  nullableText('Null alone: the chain has no such limit. All null: the limits are not known')

const MatchesChain = Type.Union(
  [Type.Literal('yes'), Type.Literal('no'), Type.Literal('unknown')],
  {
    title: 'MatchesChain',
    description: 'Whether the tally computed from the events equals the tally of the chain',
  },
)

const AppliedRule = component(
  'AppliedRule',
  {
    name: nullable(TallyRule, 'Null if it is not known: no known rule gives the tally of the node'),
    provedAt: nullable(
      Height,
      'The last height at which the node counted the same. Null if it was not compared',
    ),
    reported: flag(
      'True if the numbers are those of the node, because Rollcall cannot compute them. Those of the pools are null then',
    ),
  },
  { description: 'What the tally counts, and how that is known' },
)

export const Tally = component('Tally', {
  yes: sum(),
  no: sum(),
  abstain: sum(),
  noWithVeto: sum(),
  final: flag('True if the numbers can no longer change'),
  matchesChain: MatchesChain,
  matchesChainReason: nullableText('Null if the tallies match'),
  turnout: nullable(
    Type.String({ pattern: '^[0-9]+\\.[0-9]{4}$' }),
    '`votingPower` as a share of the stake that was bonded at the tally',
  ),
  votingPower: nullable(
    WholeAmount,
    'The power of all votes. Not the sum of the options if the weights of a vote do not add up to 1',
  ),
  bondedTokens: nullable(WholeAmount),
  quorum: limit(),
  threshold: limit(),
  vetoThreshold: limit(),
  poolsVoted: nullable(count(), 'Pools with a vote of their own'),
  ballots: nullable(count(), 'Number of voters, including pools'),
  rule: AppliedRule,
  stakeAt: nullable(
    Height,
    'The height of the state from which the stake of an open vote was last read. Null if the tally is final, and before the first reading',
  ),
})
export type Tally = Static<typeof Tally>
