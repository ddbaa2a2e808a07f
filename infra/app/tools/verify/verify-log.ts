// Reads and verifies a whole log, one height at a time. Read-only.
import type { EventLog } from '../../../base/log/event-log.ts'
import { recordsBetween } from '../../../base/log/records-between.ts'
import { AppError, hasCode } from '../../../base/runtime/errors.ts'
import { createLogCheck, type Figures } from './check-log.ts'
import { createViolations, type Violation } from './violation.ts'

export type VerifyLogOptions = {
  log: EventLog
  signal: AbortSignal
  onProgress(height: number, until: number): void
}

export type VerifiedLog = {
  figures: Figures
  /** The first thousand. */
  violations: Violation[]
  violationCount: number
}

/** Reads up to the current end of the log. Later appends are not verified. */
export const verifyLog = async (options: VerifyLogOptions): Promise<VerifiedLog> => {
  const { log, signal, onProgress } = options
  const last = await log.last()
  if (!last) throw new AppError('NOT_IN_LOG', 'the log is empty', { expose: true })
  const violations = createViolations()
  const check = createLogCheck(violations.add)
  let height = 0
  try {
    for await (const batch of recordsBetween(log, { from: 0n, until: last.offset + 1n, signal })) {
      for (const record of batch) {
        check.add(record)
        height = record.height
      }
      onProgress(height, last.height)
    }
    check.finish()
  } catch (error) {
    if (!hasCode(error, 'LOG_DAMAGED')) throw error
    // Records after the damage cannot be read.
    violations.add({ kind: 'damaged', offset: '?', height, message: error.message })
  }
  const violationCount = violations.count()
  return { figures: check.figures(), violations: violations.list(), violationCount }
}
