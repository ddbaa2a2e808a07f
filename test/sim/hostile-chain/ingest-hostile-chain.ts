// Runs ingest of one hostile chain into a log and kills it a few times.

import type { EventLog, LogRecord } from '../../../infra/base/log/event-log.ts'
import { decodeEvent } from '../../../ingest/contract/codec.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../support/log/memory-log.ts'
import type { Dice } from '../dice.ts'
import { createFaultyLog } from '../faulty-ports.ts'
import { createLife, liveIngest } from '../lives.ts'
import { type HostileChain, timeAt } from './hostile-chain.ts'
import type { HostileNodes } from './hostile-nodes.ts'

/** The limit of the strictest log: a topic of Kafka as Rollcall creates it. */
const MOST_BYTES_OF_AN_EVENT = 16 * 2 ** 20
const DEATHS_PERCENT = 6

const readAll = (log: EventLog): Promise<readonly LogRecord[]> =>
  log.read(0n, { maxRecords: 1_000_000, maxBytes: 2 ** 40 })

const expectReadable = ({ height, timeMs, value }: LogRecord): void => {
  const mebibytes = Math.ceil(value.length / 2 ** 20)
  if (value.length > MOST_BYTES_OF_AN_EVENT)
    throw new Error(
      `height ${height} has an event of ${mebibytes} MiB: it exceeds the limit of a topic`,
    )
  const decoded = decodeEvent(value)
  if (!decoded.ok) throw new Error(`height ${height} has an undecodable event: ${decoded.reason}`)
  const { time, type } = decoded.event
  if (time === timeAt(height) && timeMs === Date.parse(time)) return
  throw new Error(`height ${height} has a ${type} of ${time}, recorded as ${timeMs}`)
}

/** All records. Throws if a life ends in an unplanned way. */
export const ingestHostileChain = async (
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
      writes: isLast ? {} : { 'dies before': DEATHS_PERCENT, 'dies after': DEATHS_PERCENT },
    })
    const end = await liveIngest(chain, { log, life, start, env })
    if (end instanceof Error) throw new Error(`ingest ended: ${end.message}`, { cause: end })
    if (end === 'finished') break
  }
  const records = await readAll(openMemoryLog(storage))
  for (const record of records) expectReadable(record)
  return records
}
