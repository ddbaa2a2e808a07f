// What Rollcall cannot read or verify of a chain as a whole: said once, in markers, health and pages.
import { type Static, Type } from 'typebox'
import { Reason, withDescription } from './facts.ts'

/** Each with the sentence for people, and what they can do. */
export const LIMITATIONS = {
  no_gov: {
    message: 'This chain has no x/gov: it has no proposals that Rollcall can read.',
    remedy: 'Follow a chain with x/gov, or keep Rollcall running if an upgrade will add x/gov.',
  },
} as const

export type LimitationKind = keyof typeof LIMITATIONS

export const Limitation = Type.Object(
  {
    kind: Type.Literal('no_gov', {
      description: '`no_gov`: no endpoint has a query of x/gov.',
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
