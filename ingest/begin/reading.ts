// What is being read of the state at the start of a log, in words: for log lines, operators and the terminal.
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import type { ReadVoters } from '../rounds/live-readings.ts'

const LINE_EVERY_MS = 5_000

const grouped = (count: number): string => count.toLocaleString('en-US')

const describeDelegations = ({ done, total }: ReadVoters): string =>
  `reading the delegations of voters: ${grouped(done)} of ${grouped(total)}`

export type Reading = {
  /** What is read at present, as text; undefined once it is read. */
  report(what: string | undefined): void
  /** A log line at most every few seconds. */
  log(): void
  /** Undefined if all is read. */
  describe(): string | undefined
}

export const createReading = (
  { logger, clock }: { logger: Logger; clock: Clock },
  /** Of the open votes. */
  unread: { progress(): ReadVoters | undefined },
): Reading => {
  let current: string | undefined
  let loggedMs = Number.NEGATIVE_INFINITY
  const describe = (): string | undefined => {
    const left = unread.progress()
    return current ?? (left && describeDelegations(left))
  }
  const log = (): void => {
    const text = describe()
    const now = clock.now()
    if (text === undefined || now - loggedMs < LINE_EVERY_MS) return
    loggedMs = now
    logger.info(text)
  }
  return {
    report: (what) => {
      current = what
      log()
    },
    log,
    describe,
  }
}
