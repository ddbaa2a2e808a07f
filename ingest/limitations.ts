// The limitations of the chain at the appended height: each is logged once, when it begins and when it ends.
import type { Logger } from '../infra/runtime/logger.ts'
import type { Marker } from './contract/events.ts'
import {
  describeLimitation,
  LIMITATIONS,
  type Limitation,
  type LimitationKind,
} from './contract/limitations.ts'

export type Limitations = {
  /** In the order in which they began. */
  list(): readonly Limitation[]
  has(kind: LimitationKind): boolean
  /** Does nothing if it has begun already. */
  begin(limitation: Limitation): void
  /** Does nothing if it has not begun. */
  end(kind: LimitationKind, height: number): void
  /** For operators. */
  describe(): string[]
}

/** `marker`: the last one in the log. Call in the order of heights. */
export const createLimitations = (marker: Marker | undefined, logger: Logger): Limitations => {
  const known = new Map<LimitationKind, Limitation>()
  const report = ({ kind, since, reason }: Limitation): void => {
    const { message, remedy } = LIMITATIONS[kind]
    logger.warn({ kind, since, reason, remedy }, message)
  }
  const begin = (limitation: Limitation): void => {
    if (known.has(limitation.kind)) return
    known.set(limitation.kind, limitation)
    report(limitation)
  }
  for (const limitation of marker?.data.limitations ?? []) begin(limitation)
  return {
    list: () => [...known.values()],
    has: (kind) => known.has(kind),
    begin,
    end: (kind, height) => {
      if (known.delete(kind)) logger.warn({ kind, height }, 'a limitation of the chain has ended')
    },
    describe: () => [...known.values()].map(describeLimitation),
  }
}
