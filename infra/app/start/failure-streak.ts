// Detects a child that fails for the same reason after every restart, and decides when it works again.
// A successful start proves nothing: such a child starts and fails a moment later.
import type { ChildExit } from './children.ts'

/** After this many equal failures in a row, a child must run for a while before it counts as working. */
const REPEATED = 3
/** It works once it has run for this long, and for twice as long as it ran before it failed. */
const PROOF_MS = 10_000
const PROOF_TIMES = 2
/** A child that ran for this long worked: a later failure starts a new series. */
const HEALTHY_MS = 60 * 60_000

export class FailureStreak {
  #reason: string | undefined
  #count = 0
  #longestRunMs = 0

  /** `ranMs`: how long it ran after it was ready; 0 for a child that never was. */
  add({ failure }: ChildExit, ranMs: number): void {
    const reason = failure && `${failure.code}: ${failure.message}`
    const isNext = reason !== undefined && reason === this.#reason && ranMs < HEALTHY_MS
    this.#reason = reason
    this.#count = isNext ? this.#count + 1 : 1
    // The time before the first failure does not predict how soon a restart fails.
    this.#longestRunMs = isNext ? Math.max(this.#longestRunMs, ranMs) : 0
  }

  get count(): number {
    return this.#count
  }

  get isRepeated(): boolean {
    return this.#count >= REPEATED
  }

  /** Time that the child must run once it is ready; 0 if readiness is enough. */
  get proofMs(): number {
    if (!this.isRepeated) return 0
    return Math.min(HEALTHY_MS, Math.max(PROOF_MS, PROOF_TIMES * this.#longestRunMs))
  }
}
