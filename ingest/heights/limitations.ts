// The limitations of the chain at the appended height: each is logged once, when it begins and when it ends.
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { isKnown } from '../chain/answer.ts'
import type { ModulePresence } from '../chain/module-presence.ts'
import type { Block } from '../comet/blocks/block.ts'
import type { GovernanceEvent, Marker } from '../contract/events.ts'
import {
  describeLimitation,
  LIMITATIONS,
  type Limitation,
  type LimitationKind,
} from '../contract/limitations.ts'
import type { ProofReads } from '../proofs/proof.ts'

const NO_GOV = 'no endpoint knows a query of x/gov, in any package'
const NO_STAKING = 'no endpoint knows a query of x/staking'
const REPORTED = 'no known rule gives the tally of the node'
const UNVERIFIED_TXS =
  'the `data_hash` of no header is that of its transactions, as on chains with data squares'

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

/** Undefined if it was not read. */
export type Presences = { gov: ModulePresence | undefined; staking: ModulePresence | undefined }

type Height = Presences & {
  block: Pick<Block, 'height' | 'hasUnverifiedTxs'>
  proofs: Pick<ProofReads, 'lightBlock' | 'unverifiable'> | undefined
  events: readonly GovernanceEvent[]
  /** Whether the node's own tallies are the only ones; undefined if no comparison shows it. */
  isReported: boolean | undefined
}

const applyTallies = (
  limitations: Limitations,
  { block, isReported }: Pick<Height, 'block' | 'isReported'>,
): void => {
  const since = block.height
  const kind = 'tally_reported'
  if (isReported) limitations.begin({ kind, since, reason: REPORTED })
  else if (isReported === false) limitations.end(kind, since)
}

/** What the height shows; call in order. */
export const applyHeight = (
  limitations: Limitations,
  { block, gov, staking, proofs, events, isReported }: Height,
): void => {
  const since = block.height
  applyTallies(limitations, { block, isReported })
  const isSubmitted = events.some(({ type }) => type === 'rollcall.proposal.submitted.v1')
  if (gov === 'present' || isSubmitted) limitations.end('no_gov', since)
  else if (gov === 'absent') limitations.begin({ kind: 'no_gov', since, reason: NO_GOV })
  if (staking === 'present') limitations.end('no_staking', since)
  else if (staking === 'absent')
    limitations.begin({ kind: 'no_staking', since, reason: NO_STAKING })
  if (block.hasUnverifiedTxs) {
    limitations.begin({ kind: 'unverified_transactions', since, reason: UNVERIFIED_TXS })
  }
  if (!proofs) return
  const { unverifiable: reason } = proofs
  if (reason !== undefined) limitations.begin({ kind: 'unverified_headers', since, reason })
  else if (isKnown(proofs.lightBlock)) limitations.end('unverified_headers', since)
}
