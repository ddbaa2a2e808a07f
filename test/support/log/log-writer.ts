// A process that appends heights to an embedded log until it is killed or the log is full.
// It prints each durable height; arguments: the log's path, and how many entries each height has.
import { writeSync } from 'node:fs'
import { openEmbeddedLog } from '../../../infra/base/log/embedded-log.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import { createEntry } from './log-entries.ts'

const report = (message: object) => writeSync(1, `${JSON.stringify(message)}\n`)

const [path = '', entries = ''] = process.argv.slice(2)
const log = await openEmbeddedLog({ path })
const first = ((await log.last())?.height ?? 0) + 1
const text = 'x'.repeat(300)
try {
  for (let height = first; ; height++) {
    await log.append(Array.from({ length: Number(entries) }, () => createEntry(height, text)))
    report({ height })
  }
} catch (error) {
  const readable = (await log.last())?.height
  report({ code: error instanceof AppError ? error.code : String(error), readable })
  await log.close()
}
