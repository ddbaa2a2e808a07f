// The type of a measurement: its name, its question, and the function that measures.
import type { Finding } from './measure.ts'
import type { Scope } from './scope.ts'

export type BenchContext = {
  scope: Scope
  /** How often subject and baseline are measured. */
  pairs: number
  /** Number of events of a history, for measurements with a configurable size. */
  events: number | undefined
  /** Progress, on standard error. */
  log(line: string): void
}

export type Measurement = {
  name: string
  question: string
  run(context: BenchContext): Promise<readonly Finding[]>
}
