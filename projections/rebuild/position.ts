// How far a generation is and whether anybody projects it: read from its checkpoint, again and again.
import type { Store } from '../../infra/clickhouse/client.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { AppError } from '../../infra/runtime/errors.ts'
import {
  AGENT_RUNNER,
  type CheckpointRow,
  databaseOf,
  RUNNER,
  TABLE,
} from '../contract/read-model.ts'

export type Position = {
  nextOffset: bigint
  logEnd: bigint
  height: number
  /** How far the log of agents is projected; 0 where there is none. */
  agentsOffset: bigint
  /** As written: changes with every sign of life, whatever the writer's clock says. */
  writtenAt: string
}

export type PositionReader = (generation: number) => Promise<Position>

const NOWHERE = { nextOffset: 0n, logEnd: 0n, height: 0, writtenAt: '' }

export const createPositionReader =
  (store: Store, control: string): PositionReader =>
  async (generation) => {
    const rows = await store.select<CheckpointRow>(
      `SELECT * FROM ${databaseOf(generation, control)}.${TABLE.checkpoints} FINAL`,
    )
    const of = (runner: string) => rows.find(({ projection }) => projection === runner)
    const row = of(RUNNER)
    const agentsOffset = BigInt(of(AGENT_RUNNER)?.next_offset ?? 0)
    if (!row) return { ...NOWHERE, agentsOffset }
    return {
      agentsOffset,
      nextOffset: BigInt(row.next_offset),
      logEnd: BigInt(row.log_end),
      height: Number(row.height),
      writtenAt: row.written_at,
    }
  }

/** A heartbeat comes at least once a second. */
const ALIVE_MS = 10_000
const LOOK_MS = 200
const LISTEN_MS = 3_000

const hasMoved = async (
  read: () => Promise<Position>,
  since: string,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<boolean> => {
  const untilMs = clock.now() + LISTEN_MS
  while (clock.now() < untilMs) {
    await clock.sleep(LOOK_MS, signal)
    if ((await read()).writtenAt !== since) return true
  }
  return false
}

/** Throws `REBUILD_REFUSED` where nobody projects the served generation: nobody would build another one either. */
export const requireProjections = async (
  read: () => Promise<Position>,
  waiting: { clock: Clock; signal: AbortSignal },
): Promise<void> => {
  const { writtenAt } = await read()
  const writtenAtMs = Date.parse(`${writtenAt.replace(' ', 'T')}Z`)
  if (Math.abs(waiting.clock.now() - writtenAtMs) < ALIVE_MS) return
  // Clocks of two machines may differ: what counts is whether it moves.
  if (await hasMoved(read, writtenAt, waiting)) return
  const seen = writtenAt === '' ? 'they have projected nothing yet' : `last seen ${writtenAt} UTC`
  throw new AppError(
    'REBUILD_REFUSED',
    `no projections are running (${seen}): they are what builds a generation. Start Rollcall, then try again`,
    { expose: true },
  )
}
