// What operators need to know of the endpoints: which one is down and why, and which heights cannot be read from them.
import type { Readiness } from '../../infra/runtime/operators-server.ts'

export type NodeHealth = {
  /** `problem` is null while the endpoint answers well. `isUsable` stays true through a short fault. */
  report(endpoint: string, state: { problem: string | null; isUsable: boolean }): void
  /** A height that waits: no endpoint can serve it, or endpoints disagree. Null once it is there. */
  setWaiting(height: number, reason: string | null): void
  /**
   * Not ready while no endpoint is usable or a height waits. `reasons` names every endpoint
   * with a problem, also while another one does its work.
   */
  readiness(): Readiness
}

export const createNodeHealth = (): NodeHealth => {
  const endpoints = new Map<string, { problem: string | null; isUsable: boolean }>()
  const waiting = new Map<number, string>()
  return {
    report: (endpoint, state) => void endpoints.set(endpoint, state),
    setWaiting: (height, reason) => {
      if (reason === null) waiting.delete(height)
      else waiting.set(height, reason)
    },
    readiness: () => {
      const reasons: string[] = []
      for (const [name, { problem }] of endpoints) {
        if (problem !== null) reasons.push(`endpoint ${name}: ${problem}`)
      }
      // Prefetched heights may wait too: the lowest one is what indexing waits for.
      const [lowest] = [...waiting.keys()].sort((one, other) => one - other)
      if (lowest !== undefined) reasons.push(waiting.get(lowest)!)
      const states = [...endpoints.values()]
      const hasEndpoint = states.length === 0 || states.some(({ isUsable }) => isUsable)
      return { ready: hasEndpoint && waiting.size === 0, reasons }
    },
  }
}
