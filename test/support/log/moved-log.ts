// Exports and imports a demo log for tests, and checks that a rejected import changes nothing.
import { setMaxListeners } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { writeLargeFile } from '../../../infra/app/tools/log/lines.ts'
import { exportLog, importLog } from '../../../infra/app/tools/log/move-log.ts'
import type { EventLog } from '../../../infra/base/log/event-log.ts'
import { computeFingerprints, type DemoLog, readRecords } from './demo-log.ts'

export const never = new AbortController().signal
setMaxListeners(0, never)

export const fingerprintLog = async (log: EventLog) => computeFingerprints(await readRecords(log))

export const importInto = (log: EventLog, file: string, signal = never) =>
  importLog({ log, file, signal, onProgress: () => {} })

export const readLines = (file: string): string[] =>
  readFileSync(file, 'utf8').split('\n').slice(0, -1)

/** Expects this error, and a log without records. */
export const expectRefused = async (log: EventLog, file: string, words: RegExp) => {
  const before = await fingerprintLog(log)
  const error = await importInto(log, file).catch((thrown: unknown) => thrown)
  expect(String(error)).toMatch(words)
  expect(await fingerprintLog(log)).toEqual(before)
  return error
}

type Exporting = { log?: EventLog; from?: number; to?: number }

/** `demo` may be created after this call. */
export const createLogMoves = (demo: () => DemoLog) => ({
  exportTo: async (
    name: string,
    { log = demo().log, from = 0, to = Number.POSITIVE_INFINITY }: Exporting = {},
  ) => {
    const file = join(demo().directory(), name)
    const options = { log, from, to, version: '0.0.0', signal: never, onProgress: () => {} }
    const exported = await exportLog({ ...options, output: writeLargeFile(file, never) })
    return { file, ...exported }
  },
  fileOf: (lines: readonly string[], end = '\n'): string => {
    const file = join(demo().directory(), 'made.ndjson')
    writeFileSync(file, lines.join('\n') + end)
    return file
  },
})
