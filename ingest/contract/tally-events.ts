// The event of a node's own tally of an open vote, compared with the one that Rollcall computes.
import { type Static, Type } from 'typebox'
import { createEventSchema } from './envelope.ts'
import { Round, STATE_AFTER } from './event-members.ts'
import { nullable, ProposalId, Reason, TallyCounts, withDescription } from './facts.ts'
import { TallyRule } from './tally-rule.ts'

const INSTEAD =
  'The rule that the chain shows, whose tally is not the node’s; absent if that is `rule` itself.'

/** A rule that was found by comparison. */
export const AdoptedRule = Type.Object(
  {
    rule: TallyRule,
    instead: withDescription(TallyRule, INSTEAD),
  },
  {
    title: 'AdoptedRule',
    description: 'A tally rule that was found because its tally is that of the node.',
  },
)
export type AdoptedRule = Static<typeof AdoptedRule>

export const TallyObserved = createEventSchema(
  'rollcall.tally.observed.v1',
  {
    title: 'Tally observed',
    description:
      'The node’s own tally of an open vote, and the tally that Rollcall computes with the rule of the chain.',
    'x-written':
      'During a vote with ballots, at heights at which the parameters are read: once, then after an hour of block time. ' +
      'While the tallies are not the same, also when the tally of the node changes. ' +
      'At once if another rule is found, or if an input of a tally that was the same is missing.',
    'x-state': STATE_AFTER,
    'x-order': 'Ordinal 524286, after all ABCI events; `sub` from 3840, by proposal.',
  },
  Type.Object({
    proposalId: ProposalId,
    round: Round,
    counts: nullable(TallyCounts, {
      description: 'The node’s tally. Null if the node cannot return it.',
      'x-reason': 'countsReason',
    }),
    countsReason: nullable(Reason, {
      description: 'Why `counts` is null; null if it is not null.',
    }),
    recomputed: nullable(TallyCounts, {
      description: 'The tally that Rollcall computes. Null if an input or the rule is not known.',
      'x-reason': 'recomputedReason',
    }),
    recomputedReason: nullable(Reason, {
      description: 'Why `recomputed` is null; null if it is not null.',
    }),
    rule: withDescription(TallyRule, 'The rule of `recomputed`.'),
    instead: Type.Optional(withDescription(TallyRule, INSTEAD)),
    agrees: nullable(Type.Boolean(), {
      description: 'Whether both tallies are the same. Null if one of them is null.',
    }),
  }),
)
