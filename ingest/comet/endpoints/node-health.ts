// Reports the endpoints to operators: which endpoint is down and why, and which heights cannot be read.
import type { Readiness } from '../../../infra/base/http/operators/server.ts'
import { describeRefusals, type EndpointReport } from './endpoint-report.ts'

export type NodeHealth = {
  /** `problem` is null while the endpoint is healthy. `isUsable` stays true during a short fault. */
  report(endpoint: string, state: { problem: string | null; isUsable: boolean }): void
  /** `read` returns the current figures of the endpoint. */
  track(endpoint: string, read: () => EndpointReport): void
  /** A misused websocket; null once it works. Its endpoint stays usable for requests. */
  setWebsocketProblem(endpoint: string, problem: string | null): void
  /** A height that no endpoint can serve, or about which endpoints disagree. Null after it was read. */
  setWaiting(height: number, reason: string | null): void
  /**
   * Not ready while no endpoint is usable or a height is blocked. `reasons` names every endpoint with a
   * problem, even while another endpoint replaces it, and each one that is slow because of its limits.
   * `details.endpoints` has the figures of all.
   */
  readiness(): Readiness
}

export const createNodeHealth = (): NodeHealth => {
  const endpoints = new Map<string, { problem: string | null; isUsable: boolean }>()
  const reports = new Map<string, () => EndpointReport>()
  const websockets = new Map<string, string>()
  const waiting = new Map<number, string>()
  return {
    report: (endpoint, state) => void endpoints.set(endpoint, state),
    track: (endpoint, read) => void reports.set(endpoint, read),
    setWebsocketProblem: (endpoint, problem) => {
      if (problem === null) websockets.delete(endpoint)
      else websockets.set(endpoint, problem)
    },
    setWaiting: (height, reason) => {
      if (reason === null) waiting.delete(height)
      else waiting.set(height, reason)
    },
    readiness: () => {
      const reasons: string[] = []
      for (const [name, { problem }] of endpoints) {
        if (problem !== null) reasons.push(`endpoint ${name}: ${problem}`)
      }
      const figures = [...reports.values()].map((read) => read())
      for (const each of figures) {
        const refusals = endpoints.get(each.endpoint)?.problem ? null : describeRefusals(each)
        if (refusals !== null) reasons.push(refusals)
      }
      for (const [name, problem] of websockets) reasons.push(`websocket of ${name}: ${problem}`)
      // Prefetched heights may be blocked too: indexing waits for the lowest one.
      const [lowest] = [...waiting.keys()].sort((one, other) => one - other)
      if (lowest !== undefined) reasons.push(waiting.get(lowest)!)
      const states = [...endpoints.values()]
      const hasEndpoint = states.length === 0 || states.some(({ isUsable }) => isUsable)
      return {
        ready: hasEndpoint && waiting.size === 0,
        reasons,
        details: { endpoints: figures },
      }
    },
  }
}
