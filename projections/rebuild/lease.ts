// Allows one rebuild at a time across machines: an advisory lease in the store that its holder renews and releases. ClickHouse
// has no locks, so a new holder reads the lease again after a pause, and before each switch.
import { randomUUID } from 'node:crypto'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { linkedAbort } from '../../infra/base/runtime/abort.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import { waitUntilSettled } from '../../infra/base/runtime/promises.ts'
import { every } from '../../infra/base/runtime/supervise.ts'
import { timestampToMs } from '../contract/timestamps.ts'
import { wallClockTimestamp } from '../fold/timestamps.ts'

export type LeaseOptions = {
  store: Store
  control: string
  clock: Clock
  /** Name of the holder, for display. */
  holder: string
  signal: AbortSignal
}

/** Advisory: the store also accepts the writes of a holder that has lost it. */
export type AdvisoryLease = {
  /** Fires with the caller's signal, and when the lease is lost. */
  signal: AbortSignal
  /** Throws if another holder has the lease. Call it right before each change that only the holder may make. */
  check(): Promise<void>
  release(): Promise<void>
}

type LeaseRow = {
  name: string
  owner: string
  holder: string
  expires_at: string
  version: string
}

const NAME = 'rebuild'
const LASTS_MS = 15_000
const RENEW_MS = 4_000
/** Longer than any client needs between the read and the write. */
const SETTLE_MS = 400

const readLease = async ({ store, control }: LeaseOptions): Promise<LeaseRow | undefined> => {
  const [row] = await store.select<LeaseRow>(
    `SELECT * FROM ${control}.leases FINAL WHERE name = {name:String}`,
    { name: NAME },
  )
  return row
}

const isTaken = (row: LeaseRow | undefined, nowMs: number): row is LeaseRow =>
  row !== undefined && row.owner !== '' && timestampToMs(row.expires_at) > nowMs

const refused = (row: LeaseRow | undefined): AppError =>
  new AppError(
    'REBUILD_REFUSED',
    `another rebuild is running (${row?.holder ?? 'unknown holder'}): wait until it ends; the lease of a killed one expires after ${LASTS_MS / 1000} s`,
    { expose: true },
  )

/** Throws `REBUILD_REFUSED` if another rebuild holds the lease. */
export const takeLease = async (options: LeaseOptions): Promise<AdvisoryLease> => {
  const { store, control, clock, holder } = options
  const owner = randomUUID()
  const write = async (before: LeaseRow | undefined, who: string, lastsMs: number) => {
    const row: LeaseRow = {
      name: NAME,
      owner: who,
      holder,
      expires_at: wallClockTimestamp(clock.now() + lastsMs),
      version: (BigInt(before?.version ?? '0') + 1n).toString(),
    }
    await store.insert(`${control}.leases`, [row])
  }
  const readOwn = async (): Promise<LeaseRow> => {
    const row = await readLease(options)
    if (row?.owner !== owner) throw refused(row)
    return row
  }
  const before = await readLease(options)
  if (isTaken(before, clock.now())) throw refused(before)
  const giveBack = async (): Promise<void> => {
    const row = await readLease(options)
    if (row?.owner === owner) await write(row, '', 0)
  }
  await write(before, owner, LASTS_MS)
  try {
    await clock.sleep(SETTLE_MS, options.signal)
    await readOwn()
  } catch (error) {
    // If the store is unavailable, the lease expires.
    await waitUntilSettled(giveBack())
    throw error
  }

  const lease = linkedAbort(options.signal)
  const ended = new AbortController()
  const renew = async (): Promise<void> => {
    try {
      await write(await readOwn(), owner, LASTS_MS)
    } catch (error) {
      // If the store is unavailable for a moment, the renewal is retried before the lease expires.
      if (!(error instanceof AppError) || !error.retryable) throw error
    }
  }
  const renewing = every(RENEW_MS, { signal: ended.signal, clock }, renew).catch((error) => {
    if (!ended.signal.aborted) lease.abort(error)
  })
  return {
    signal: lease.signal,
    check: async () => void (await readOwn()),
    release: async () => {
      ended.abort()
      lease.unlink()
      await renewing
      await giveBack()
    },
  }
}
