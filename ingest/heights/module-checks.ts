// Finds whether a chain has x/gov and x/staking, and asks again for an absent one, because an upgrade may add it. Depends only on
// block times, so that a restart asks at the same heights.
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { withGovPackage } from '../chain/gov-package.ts'
import {
  findGov,
  findStaking,
  type ModulePresence,
  type PresenceNode,
} from '../chain/module-presence.ts'
import { toEpochMs } from '../chain/time.ts'
import type { Block } from '../comet/blocks/block.ts'
import type { Marker } from '../contract/events.ts'
import type { Limitations, Presences } from './limitations.ts'

type CheckedBlock = Pick<Block, 'height' | 'time'>
type Read<Found> = (block: CheckedBlock, stateHeight?: number) => Promise<Found>

export type ModuleChecks = {
  /**
   * Call in order of heights. At the first call as of `stateHeight`, the state before the block; later as of the
   * block, if it is due.
   */
  read: Read<Presences>
}

const INTERVAL_MS = 3_600_000

type Check = {
  find(height: number): Promise<ModulePresence>
  /** Whether the log ends without the module. */
  isAbsent: boolean
  previousMs: number | undefined
}

const intervalOf = (ms: number): number => Math.floor(ms / INTERVAL_MS)

const createRead = ({ find, ...start }: Check): Read<ModulePresence | undefined> => {
  let { previousMs } = start
  let first: Promise<ModulePresence> | undefined
  return async ({ height, time }, stateHeight = height - 1) => {
    const nowMs = toEpochMs(time)
    const isDue = previousMs !== undefined && intervalOf(nowMs) !== intervalOf(previousMs)
    previousMs = nowMs
    if (!first) {
      first = find(stateHeight)
      return await first
    }
    if (!isDue) return undefined
    const isAbsent = start.isAbsent || (await first) === 'absent'
    return isAbsent ? await find(height) : undefined
  }
}

type Options = {
  /** Without unlimited retries. */
  node: PresenceNode
  /** The last one in the log. */
  marker: Marker | undefined
  /** As of the marker. */
  limitations: Pick<Limitations, 'has'>
  clock: Clock
  logger: Logger
}

export const createModuleChecks = ({
  node,
  marker,
  limitations,
  ...rest
}: Options): ModuleChecks => {
  const withGov = withGovPackage(node, rest)
  const previousMs = marker && toEpochMs(marker.time)
  const readGov = createRead({
    find: (height) => findGov(withGov, height),
    isAbsent: limitations.has('no_gov'),
    previousMs,
  })
  const readStaking = createRead({
    find: (height) => findStaking(node, height),
    isAbsent: limitations.has('no_staking'),
    previousMs,
  })
  return {
    read: async (...at) => {
      const [gov, staking] = await Promise.all([readGov(...at), readStaking(...at)])
      return { gov, staking }
    },
  }
}
