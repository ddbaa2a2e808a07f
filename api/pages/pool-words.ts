// What several pages say of a validator.
import { type Inline, soft } from '../document/line.ts'
import { type Block, paragraph } from '../document/tree.ts'
import type { Pool } from '../schemas/pool.ts'

/** What a missed vote is. */
export const MISSED = 'counted in the final tally, but without a vote.'

export const WHAT_A_POOL_IS: Block = paragraph(
  'A validator votes with all stake delegated to it, ' +
    'except the stake of delegators who vote themselves.',
)

type Counts = Pick<Pool, 'proposalsVoted' | 'proposalsMissed'>

/** `16 of 17`. */
export const describeParticipation = ({ proposalsVoted, proposalsMissed }: Counts): Inline => {
  const all = proposalsVoted + proposalsMissed
  return all === 0 ? soft('none yet') : `${proposalsVoted} of ${all}`
}
