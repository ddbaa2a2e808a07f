// A process that appends heights to an embedded log until it is killed or the log is full.
// It prints each durable height; argument: the log's path.
import { writeSync } from 'node:fs'
import { openEmbeddedLog } from '../../../infra/base/log/embedded-log.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import { createEntry } from './log-entries.ts'

/** Most of the time of the process is in an append, so that a kill interrupts one. */
const ENTRIES_PER_HEIGHT = 600

const report = (message: object) => writeSync(1, `${JSON.stringify(message)}\n`)

const log = await openEmbeddedLog({ path: process.argv[2] as string })
const first = ((await log.last())?.height ?? 0) + 1
const text = 'x'.repeat(300)
try {
  for (let height = first; ; height++) {
    await log.append(Array.from({ length: ENTRIES_PER_HEIGHT }, () => createEntry(height, text)))
    report({ height })
  }
} catch (error) {
  const readable = (await log.last())?.height
  report({ code: error instanceof AppError ? error.code : String(error), readable })
  await log.close()
}
