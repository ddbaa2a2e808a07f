// The limitations of the chain at the appended height: each is logged once, when it begins and when it ends.
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { isKnown } from '../chain/answer.ts'
import { withGovPackage } from '../chain/gov-package.ts'
import {
  findGov,
  findStaking,
  type ModulePresence,
  type PresenceNode,
} from '../chain/module-presence.ts'
import { toEpochMs } from '../chain/time.ts'
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
  /** `reason`: null if the height shows that there is none; undefined if it shows nothing. */
  show(kind: LimitationKind, height: number, reason: string | null | undefined): void
  /** For operators. */
  describe(): string[]
}

/** `marker`: the last one in the log. Call in the order of heights. */
export function createLimitations(marker: Marker | undefined, logger: Logger): Limitations {
  const known = new Map<LimitationKind, Limitation>()
  const begin = (limitation: Limitation): void => {
    const { kind, since, reason } = limitation
    known.set(kind, limitation)
    const { message, remedy } = LIMITATIONS[kind]
    logger.warn({ kind, since, reason, remedy }, message)
  }
  for (const limitation of marker?.data.limitations ?? []) begin(limitation)
  return {
    list: () => [...known.values()],
    has: (kind) => known.has(kind),
    show: (kind, height, reason) => {
      if (typeof reason === 'string') {
        if (!known.has(kind)) begin({ kind, since: height, reason })
      } else if (reason === null && known.delete(kind)) {
        logger.warn({ kind, height }, 'a limitation of the chain has ended')
      }
    },
    describe: () => [...known.values()].map(describeLimitation),
  }
}

/** Undefined if it was not read. */
export type Presences = { gov: ModulePresence | undefined; staking: ModulePresence | undefined }

/** Block time between two looks for a module that the chain lacks: an upgrade may add it. */
const CHECK_MS = 3_600_000

/**
 * Looks for the modules at the first height of the process, and for an absent one again each hour. Call in the order of heights.
 * `node`: without unlimited retries.
 */
export function createModuleChecks({
  node,
  limitations,
  ...rest
}: {
  node: PresenceNode
  limitations: Pick<Limitations, 'has'>
  clock: Clock
  logger: Logger
}): (block: Pick<Block, 'height' | 'time'>) => Promise<Presences> {
  const withGov = withGovPackage(node, rest)
  let previousMs: number | undefined
  return async ({ height, time }) => {
    const nowMs = toEpochMs(time)
    const isFirst = previousMs === undefined
    const isDue = Math.floor(nowMs / CHECK_MS) !== Math.floor((previousMs ?? nowMs) / CHECK_MS)
    previousMs = nowMs
    const isAsked = (kind: LimitationKind) => isFirst || (isDue && limitations.has(kind))
    const [gov, staking] = await Promise.all([
      isAsked('no_gov') ? findGov(withGov, height) : undefined,
      isAsked('no_staking') ? findStaking(node, height) : undefined,
    ])
    return { gov, staking }
  }
}

const toReason = (presence: ModulePresence | undefined, absent: string) =>
  presence === 'present' ? null : presence === 'absent' ? absent : undefined

type Shown = Presences & {
  block: Pick<Block, 'height' | 'hasUnverifiedTxs'>
  proofs: Pick<ProofReads, 'lightBlock' | 'unverifiable'> | undefined
  events: readonly GovernanceEvent[]
  /** Whether the node's own tallies are the only ones; undefined if no comparison shows it. */
  isReported: boolean | undefined
}

/** What the height shows; call in order. */
export function applyHeight(
  limitations: Limitations,
  { block, gov, staking, proofs, events, isReported }: Shown,
): void {
  const { height, hasUnverifiedTxs } = block
  const isSubmitted = events.some(({ type }) => type === 'rollcall.proposal.submitted.v1')
  limitations.show('no_gov', height, isSubmitted ? null : toReason(gov, NO_GOV))
  limitations.show('no_staking', height, toReason(staking, NO_STAKING))
  if (hasUnverifiedTxs) limitations.show('unverified_transactions', height, UNVERIFIED_TXS)
  const isVerified = proofs && isKnown(proofs.lightBlock)
  limitations.show(
    'unverified_headers',
    height,
    proofs?.unverifiable ?? (isVerified ? null : undefined),
  )
  if (isReported !== undefined) {
    limitations.show('tally_reported', height, isReported ? REPORTED : null)
  }
}
