// What several pages say of a validator.
import type { Pool } from '../schemas/pool.ts'
import { Soft } from '../view/parts.tsx'

export function WhatAPoolIs() {
  return (
    <p>
      A validator votes with all stake delegated to it, except the stake of delegators who vote
      themselves.
    </p>
  )
}

/** `16 of 17`. */
export function VotedCount({ of }: { of: Pick<Pool, 'proposalsVoted' | 'proposalsMissed'> }) {
  const all = of.proposalsVoted + of.proposalsMissed
  return all === 0 ? <Soft>none yet</Soft> : `${of.proposalsVoted} of ${all}`
}
