// Reads the position of a generation and whether it is being projected, by polling its checkpoint.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import { readCheckpoints } from '../contract/checkpoints.ts'
import { AGENT_RUNNER, RUNNER, toDatabaseName } from '../contract/database.ts'
import { timestampToMs } from '../contract/timestamps.ts'

export type Position = {
  nextOffset: bigint
  logEnd: bigint
  height: number
  /** Position in the log of agents; 0 if there is none. */
  agentsOffset: bigint
  /** As written: changes with every heartbeat, independent of the writer's clock. */
  writtenAt: string
}

export type PositionReader = (generation: number) => Promise<Position>

const NOWHERE = { nextOffset: 0n, logEnd: 0n, height: 0, writtenAt: '' }

export const createPositionReader =
  (store: Store, control: string): PositionReader =>
  async (generation) => {
    const checkpoints = await readCheckpoints(store, toDatabaseName(generation, control))
    const of = (runner: string) => checkpoints.find(({ projection }) => projection === runner)
    const { nextOffset, logEnd, height, writtenAt } = of(RUNNER) ?? NOWHERE
    const agentsOffset = of(AGENT_RUNNER)?.nextOffset ?? 0n
    return { nextOffset, logEnd, height, writtenAt, agentsOffset }
  }

/** A heartbeat is written at least once a second. */
const ALIVE_MS = 10_000
const POLL_MS = 200
const LISTEN_MS = 3_000

const hasMoved = async (
  read: () => Promise<Position>,
  since: string,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<boolean> => {
  const untilMs = clock.now() + LISTEN_MS
  while (clock.now() < untilMs) {
    await clock.sleep(POLL_MS, signal)
    if ((await read()).writtenAt !== since) return true
  }
  return false
}

/** Throws `REBUILD_REFUSED` if the served generation is not projected: a new one would not be built either. */
export const requireProjections = async (
  read: () => Promise<Position>,
  waiting: { clock: Clock; signal: AbortSignal },
): Promise<void> => {
  const { writtenAt } = await read()
  if (Math.abs(waiting.clock.now() - timestampToMs(writtenAt)) < ALIVE_MS) return
  // Clocks of two machines may differ, so only a change counts.
  if (await hasMoved(read, writtenAt, waiting)) return
  const seen = writtenAt === '' ? 'no checkpoint yet' : `last seen ${writtenAt} UTC`
  throw new AppError(
    'REBUILD_REFUSED',
    `no projections are running (${seen}), and only they build a generation. Start Rollcall, then try again`,
    { expose: true },
  )
}
