// What operators need to know of the endpoints: which one is down and why, and which heights they disagree about.
import type { Readiness } from '../../infra/runtime/operators-server.ts'

export type NodeHealth = {
  /** `problem` is null while the endpoint answers well. `isUsable` stays true through a short fault. */
  report(endpoint: string, state: { problem: string | null; isUsable: boolean }): void
  /** A height that is not indexed while its endpoints disagree. Null once that is settled. */
  doubt(height: number, reason: string | null): void
  /**
   * Not ready while no endpoint is usable or a height is in doubt. `reasons` names every endpoint
   * with a problem, also while another one does its work.
   */
  readiness(): Readiness
}

export const createNodeHealth = (): NodeHealth => {
  const endpoints = new Map<string, { problem: string | null; isUsable: boolean }>()
  const doubts = new Map<number, string>()
  return {
    report: (endpoint, state) => void endpoints.set(endpoint, state),
    doubt: (height, reason) => {
      if (reason === null) doubts.delete(height)
      else doubts.set(height, reason)
    },
    readiness: () => {
      const reasons: string[] = []
      for (const [name, { problem }] of endpoints) {
        if (problem !== null) reasons.push(`endpoint ${name}: ${problem}`)
      }
      // Prefetched heights may be in doubt too: the lowest one is what indexing waits for.
      const [lowest] = [...doubts.keys()].sort((one, other) => one - other)
      if (lowest !== undefined) reasons.push(doubts.get(lowest)!)
      const states = [...endpoints.values()]
      const hasEndpoint = states.length === 0 || states.some(({ isUsable }) => isUsable)
      return { ready: hasEndpoint && doubts.size === 0, reasons }
    },
  }
}
