// What a measurement is to the runner: a name, the question it answers, and how to find the answer.
import type { Finding } from './measure.ts'
import type { Scope } from './scope.ts'

export type BenchContext = {
  scope: Scope
  /** How often subject and baseline are measured. */
  pairs: number
  /** How many events a history is to have, where a measurement lets that be chosen. */
  events: number | undefined
  /** Progress, on standard error. */
  log(line: string): void
}

export type Measurement = {
  name: string
  question: string
  run(context: BenchContext): Promise<readonly Finding[]>
}
