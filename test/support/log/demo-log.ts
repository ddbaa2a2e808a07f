// Indexes the recorded demo chain into an embedded log once per test file, and creates logs from its records.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { startDemoNode } from '../../../infra/app/demo/demo-node.ts'
import { openEmbeddedLog } from '../../../infra/base/log/embedded-log.ts'
import type { EventLog, LogEntry, LogRecord } from '../../../infra/base/log/event-log.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { startIngest } from '../../../ingest/main.ts'
import { ingestConfig } from '../chain/ingest-run.ts'
import { openTestRecording } from '../chain/test-recording.ts'
import { silentLogger } from '../process/log-lines.ts'
import { createTemporaryDirectory } from '../process/temporary-directory.ts'

export type DemoLog = Awaited<ReturnType<typeof indexDemoChain>>

/** No block is made during a test. */
const STANDSTILL_MS = 24 * 60 * 60 * 1000

export const readRecords = (log: EventLog): Promise<readonly LogRecord[]> =>
  log.read(0n, { maxRecords: 1_000_000, maxBytes: 2 ** 40 })

/** One line per record; lines are equal only if all bytes are equal. */
export const computeFingerprints = (records: readonly LogEntry[]): string[] =>
  records.map(({ height, timeMs, value }) => {
    const sum = createHash('sha256').update(value).digest('hex')
    return `${height} ${timeMs} ${sum}`
  })

/** Up to `height`; the whole recording by default. */
export const indexDemoChain = async (
  height?: number,
  env: Record<string, string> = {},
  recording = openTestRecording(),
) => {
  const tidy: (() => unknown)[] = []
  const directory = (): string => {
    const { path, remove } = createTemporaryDirectory('demo-log')
    tidy.push(remove)
    return path
  }
  const open = async (): Promise<EventLog> => {
    const log = await openEmbeddedLog({ path: join(directory(), 'log') })
    tidy.push(() => log.close())
    return log
  }
  const preload = height ?? Number.MAX_SAFE_INTEGER
  const replay = await startDemoNode({ recording, preload, blockMs: STANDSTILL_MS })
  tidy.push(() => replay.close())
  const log = await open()
  const ingest = await startIngest({
    config: ingestConfig({ CHAIN_RPC_URLS: replay.url, ...env }),
    log,
    logger: silentLogger(),
    metrics: createMetrics('ingest'),
  })
  const until = height ?? replay.height()
  while (((await log.last())?.height ?? 0) < until) {
    await Promise.race([ingest.done, new Promise((resolve) => setTimeout(resolve, 5))])
  }
  await ingest.close()
  return {
    replay,
    log,
    records: await readRecords(log),
    /** A new log in a new directory with these entries. */
    createLog: async (entries: readonly LogEntry[] = []) => {
      const made = await open()
      if (entries.length > 0) await made.append(entries)
      return made
    },
    /** A new directory. */
    directory,
    remove: async () => {
      for (const step of tidy.reverse()) await step()
    },
  }
}
