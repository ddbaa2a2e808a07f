// Schema of the turnout of a vote over time.
import { type Static, Type } from 'typebox'
import { createColumns } from './columns.ts'
import {
  component,
  count,
  createEnvelope,
  Height,
  nullable,
  nullableText,
  PAGING,
  Timestamp,
  WholeAmount,
} from './common.ts'
import { Tally } from './tally.ts'

const TurnoutStep = component('TurnoutStep', {
  until: Type.String({ format: 'date-time', description: 'The end of the step; RFC 3339, UTC' }),
  ballots: count('Voters whose last ballot is before `until`'),
  votingPower: nullable(
    WholeAmount,
    'Their voting power in the tally; null before the tally, or if a power is not known',
  ),
  turnout: nullable(
    Tally.properties.turnout.anyOf[0],
    '`votingPower` as a share of the stake that was bonded at the tally',
  ),
})
export type TurnoutStep = Static<typeof TurnoutStep>

const QuorumMoment = component(
  'QuorumMoment',
  {
    height: nullable(Height),
    time: nullable(Timestamp),
    reason: nullableText('Why height and time are null: never reached, or not known'),
  },
  {
    description:
      'When the votes first reached the quorum. Each voter counts from its last ballot on, with its voting power in the tally',
  },
)
export type QuorumMoment = Static<typeof QuorumMoment>

export const TurnoutPage = createEnvelope('TurnoutPage', TurnoutStep, PAGING.numbered, {
  round: nullable(
    count(),
    '0 before any vote. Null if it is not known whether this is round 1 or round 2',
  ),
  from: nullable(Timestamp, 'The start of voting; null before any vote'),
  to: nullable(Timestamp, 'The end of voting, or now; null before any vote'),
  untimedBallots: count(
    'Ballots of unknown time, because they are from before the first indexed height. Every step includes them',
  ),
  quorumReached: QuorumMoment,
})
export type TurnoutPage = Static<typeof TurnoutPage>

export const TURNOUT_COLUMNS = createColumns<TurnoutStep>(TurnoutStep)
