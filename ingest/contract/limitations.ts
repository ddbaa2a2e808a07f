// What Rollcall cannot read or verify of a chain as a whole: said once, in markers, health and pages.
import { type Static, Type } from 'typebox'
import { Reason, withDescription } from './facts.ts'

/** Each with the sentence for people, and what they can do. */
export const LIMITATIONS = {
  no_gov: {
    message: 'This chain has no x/gov: it has no proposals that Rollcall can read.',
    remedy: 'Follow a chain with x/gov, or keep Rollcall running if an upgrade will add x/gov.',
  },
  no_staking: {
    message:
      'This chain has no x/staking: validators and the stake of voters are not known, and no tally is recomputed.',
    remedy:
      'Nothing to do: proposals, votes and final tallies are complete. Live tallies are those that the node reports.',
  },
  unverified_headers: {
    message: 'The headers of this chain cannot be verified, so its proposals have no proofs.',
    remedy: 'Use endpoints of different operators: votes and tallies do not depend on proofs.',
  },
  unverified_transactions: {
    message: 'The transactions of this chain cannot be compared with the headers of its blocks.',
    remedy: 'Use endpoints of different operators: Rollcall compares what they report.',
  },
  tally_reported: {
    message:
      'The tally rules of this chain are not known: live tallies are those that the node reports.',
    remedy:
      'Nothing is missing at the close of a vote: it has the tally of the chain. If you know the rules, set TALLY_STRATEGY.',
  },
} as const

export type LimitationKind = keyof typeof LIMITATIONS

const KINDS = Object.keys(LIMITATIONS) as LimitationKind[]

export const Limitation = Type.Object(
  {
    kind: Type.Enum(KINDS, {
      description: KINDS.map((kind) => `\`${kind}\`: ${LIMITATIONS[kind].message}`).join(' '),
    }),
    since: Type.Integer({ minimum: 0, description: 'The first height that showed it.' }),
    reason: withDescription(Reason, 'What the endpoints reported.'),
  },
  {
    title: 'Limitation',
    description: 'What Rollcall cannot read or verify of the chain as a whole.',
  },
)
export type Limitation = Static<typeof Limitation>

export const describeLimitation = ({ kind, since, reason }: Limitation): string =>
  `${LIMITATIONS[kind].message} Since height ${since}: ${reason}`
