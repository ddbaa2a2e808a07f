// Recognizes a part that fails for the same reason each time it is started again, and decides when that is over.
// Starting proves nothing: such a part starts well and fails a moment later.
import type { ChildExit } from './child.ts'

/** From so many equal failures in a row on, a part has to prove that it works. */
const REPEATED = 3
/** It works once it has run for this long, and for twice as long as it ran before it failed. */
const PROOF_MS = 10_000
const PROOF_TIMES = 2
/** A part that ran for so long worked: a failure after that is the first one. */
const HEALTHY_MS = 60 * 60_000

export class FailureStreak {
  #reason: string | undefined
  #count = 0
  #longestRunMs = 0

  /** `ranMs`: how long it ran after it was ready; 0 for a part that never was. */
  add({ failure }: ChildExit, ranMs: number): void {
    const reason = failure && `${failure.code}: ${failure.message}`
    const isNext = reason !== undefined && reason === this.#reason && ranMs < HEALTHY_MS
    this.#reason = reason
    this.#count = isNext ? this.#count + 1 : 1
    // How long it ran before the first failure does not tell how soon a restart fails.
    this.#longestRunMs = isNext ? Math.max(this.#longestRunMs, ranMs) : 0
  }

  get count(): number {
    return this.#count
  }

  get isRepeated(): boolean {
    return this.#count >= REPEATED
  }

  /** How long the part must run once it is ready; 0 where being ready is enough. */
  get proofMs(): number {
    if (!this.isRepeated) return 0
    return Math.min(HEALTHY_MS, Math.max(PROOF_MS, PROOF_TIMES * this.#longestRunMs))
  }
}
