// Creates demo logs with one damaged property for tests, and runs the log check on them.

import { verifyLog } from '../../../infra/app/tools/verify/log.ts'
import type { LogEntry } from '../../../infra/base/log/event-log.ts'
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { DemoLog } from './demo-log.ts'

type Change = (event: GovernanceEvent) => void
type Marker = Extract<GovernanceEvent, { type: 'rollcall.block.indexed.v1' }>

export const eventIn = ({ value }: LogEntry): GovernanceEvent =>
  JSON.parse(Buffer.from(value).toString()) as GovernanceEvent

export const withEvent = (entry: LogEntry, change: Change): LogEntry => {
  const event = eventIn(entry)
  change(event)
  return { ...entry, value: Buffer.from(JSON.stringify(event)) }
}

export const asMarker =
  (change: (data: Marker['data']) => void): Change =>
  (event) =>
    change((event as Marker).data)

/** `demo` may be created after this call. */
export const damageTo = (demo: () => DemoLog) => {
  const entryAt = (index: number): LogEntry => demo().records[index]!
  /** The index of the nth record of a type. */
  const findRecordIndex = (type: string, nth = 0): number => {
    const indexes = demo().records.flatMap((entry, at) =>
      eventIn(entry).type === type ? [at] : [],
    )
    const index = indexes[nth]
    if (index === undefined) throw new Error(`no ${type}`)
    return index
  }
  return {
    entryAt,
    findRecordIndex,
    vote: () => findRecordIndex('rollcall.vote.cast.v1', 5),
    /** A height without a light block, which also contains the hash before it. */
    marker: () => {
      const proved = new Set(
        demo()
          .records.filter((entry) => eventIn(entry).type === 'rollcall.light-block.observed.v1')
          .map(({ height }) => height),
      )
      const markers = demo().records.flatMap(({ height }, at) =>
        eventIn(entryAt(at)).type === 'rollcall.block.indexed.v1' && !proved.has(height)
          ? [at]
          : [],
      )
      const index = markers[20]
      if (index === undefined) throw new Error('no marker')
      return index
    },
    /** All records with one changed. */
    replaced: (index: number, change: Change): LogEntry[] =>
      demo().records.with(index, { ...withEvent(entryAt(index), change), offset: 0n }),
    verify: async (entries: readonly LogEntry[]) =>
      await verifyLog({
        log: await demo().createLog(entries),
        signal: new AbortController().signal,
        onProgress: () => {},
      }),
  }
}
