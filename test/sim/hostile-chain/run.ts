// Runs one hostile chain through ingest, which is killed a few times, and projections, and compares every height with the truth.

import type { EventLog, LogRecord } from '../../../infra/base/log/event-log.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import { decodeEvent } from '../../../ingest/contract/codec.ts'
import { caughtUp, startForTest } from '../../support/fold/run-projections.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../support/log/memory-log.ts'
import type { Tally } from '../../support/simulator/keepers/tally.ts'
import { createMemoryStore, type MemoryStore } from '../../support/store/memory-store.ts'
import type { Dice } from '../dice.ts'
import { createFaultyLog } from '../faulty-log.ts'
import { createLife, liveIngest } from '../lives.ts'
import { differencesAt, type Lossy, refusedNumber } from './compare.ts'
import { createHostileChain, type Expected, type HostileChain, timeAt } from './hostile-chain.ts'
import { type HostileNodes, openNodes } from './hostile-nodes.ts'

/** The limit of the strictest log: a topic of Kafka as Rollcall creates it. */
const MOST_BYTES_OF_AN_EVENT = 16 * 2 ** 20
const DEATHS = { 'dies before': 6, 'dies after': 6 }

const readAll = (log: EventLog): Promise<readonly LogRecord[]> =>
  log.read(0n, { maxRecords: 1_000_000, maxBytes: 2 ** 40 })

/** Its position in the chain. */
const expectReadable = ({ height, timeMs, value }: LogRecord): number => {
  const mebibytes = Math.ceil(value.length / 2 ** 20)
  if (value.length > MOST_BYTES_OF_AN_EVENT)
    throw new Error(
      `height ${height} has an event of ${mebibytes} MiB: it exceeds the limit of a topic`,
    )
  const decoded = decodeEvent(value)
  if (!decoded.ok) throw new Error(`height ${height} has an undecodable event: ${decoded.reason}`)
  const { time, type, index } = decoded.event
  if (time === timeAt(height) && timeMs === Date.parse(time)) return height * 2 ** 32 + index
  throw new Error(`height ${height} has a ${type} of ${time}, recorded as ${timeMs}`)
}

/** All records. Throws if a life ends in an unplanned way. */
const ingestHostileChain = async (
  dice: Dice,
  { chain, profile }: HostileChain,
  { start }: HostileNodes,
): Promise<readonly LogRecord[]> => {
  const storage = createMemoryLogStorage()
  const env = { START_HEIGHT: profile.startHeight === 1 ? 'earliest' : String(profile.startHeight) }
  for (let number = 1; ; number++) {
    const life = createLife()
    const isLast = number > profile.kills
    const log = createFaultyLog(openMemoryLog(storage), {
      dice,
      life,
      name: `ingest ${number}`,
      rates: { ...(isLast ? {} : DEATHS), unavailable: 3, 'answer lost': 3 },
    })
    const end = await liveIngest(chain, { log, life, start, env })
    if (end instanceof Error) throw new Error(`ingest ended: ${end.message}`, { cause: end })
    if (end === 'finished') break
  }
  const records = await readAll(openMemoryLog(storage))
  const positions = records.map(expectReadable)
  const repeated = positions.findIndex((position, at) => position <= (positions[at - 1] ?? -1))
  if (repeated >= 0) throw new Error(`height ${records[repeated]?.height} is in the log twice`)
  return records
}

const RESTARTS_PERCENT = 5

/** Rejects values that a column of ClickHouse rejects. */
const strictStore = (): MemoryStore => {
  const store = createMemoryStore()
  store.onInsert = (table, rows) => {
    for (const row of rows) {
      const refused = refusedNumber(row)
      if (refused === undefined) continue
      throw new AppError('STORE_REFUSED', `the store refused a row of ${table}: ${refused}`)
    }
  }
  return store
}

const byHeight = (records: readonly LogRecord[]): ReadonlyMap<number, LogRecord[]> => {
  const heights = new Map<number, LogRecord[]>()
  for (const record of records) {
    const known = heights.get(record.height)
    if (known) known.push(record)
    else heights.set(record.height, [record])
  }
  return heights
}

/** Rounds that were open or ended while input was missing, and what nodes said of all. */
const createLossy = (lostHeights: ReadonlySet<number>) => {
  const lossy = new Set<string>()
  const answers = new Map<string, Tally['counts'][]>()
  const toKey = ({ id, round }: { id: string; round: number }) => `${id}/${round}`
  const known: Lossy = {
    has: (round) => lossy.has(toKey(round)),
    reports: (round) => answers.get(toKey(round)) ?? [],
  }
  return {
    known,
    note: ({ height, open, tallied, unreadable }: Expected): void => {
      // A close reads the height before it, too.
      const isLost = [height - 1, height].some((each) => lostHeights.has(each))
      for (const round of open) {
        const key = toKey(round)
        answers.set(key, [...(answers.get(key) ?? []), round.tally.counts])
      }
      for (const round of [...open, ...tallied]) {
        if (isLost || unreadable.includes(round.id)) lossy.add(toKey(round))
      }
    },
  }
}

const projectHeights = async (
  dice: Dice,
  { expected, profile }: HostileChain,
  { records, lostHeights }: { records: readonly LogRecord[]; lostHeights: ReadonlySet<number> },
): Promise<string[]> => {
  const storage = createMemoryLogStorage()
  const log = openMemoryLog(storage, { shared: true })
  const store = strictStore()
  const start = () => startForTest(openMemoryLog(storage), store)
  const heights = byHeight(records)
  const lossy = createLossy(lostHeights)
  // Where no endpoint has the state of the first height, the log begins at a newer one.
  const begin = records[0]?.height ?? profile.startHeight
  if (begin > profile.startHeight && !profile.losesState) return [`the log begins at ${begin}`]
  let projections = await start()
  try {
    for (const each of expected) {
      lossy.note(each)
      if (each.height < begin) continue
      const fresh = heights.get(each.height)
      if (fresh) await log.append(fresh)
      await caughtUp(projections, log).catch((cause: Error) => {
        throw new Error(`height ${each.height}: the projections ended: ${cause.message}`, { cause })
      })
      const differences = differencesAt({
        tables: store.tables,
        expected: each,
        lossy: lossy.known,
        knowsRounds: begin === 1,
        isLive: profile.isLive(each.height),
      })
      if (differences.length > 0) return differences
      if (profile.kills === 0 || !dice.happens(RESTARTS_PERCENT, 'restart', each.height)) continue
      await projections.close()
      projections = await start()
    }
  } finally {
    await projections.close()
  }
  return []
}

/** Throws at the first difference, and if a process ended. */
export const runHostileChain = async (dice: Dice): Promise<HostileChain> => {
  const hostile = createHostileChain(dice)
  const nodes = await openNodes(dice, hostile)
  try {
    const records = await ingestHostileChain(dice, hostile, nodes)
    const { lostHeights } = nodes
    const differences = await projectHeights(dice, hostile, { records, lostHeights })
    if (differences.length > 0) throw new Error(differences.slice(0, 8).join('\n'))
  } finally {
    await nodes.close()
  }
  return hostile
}
