// How many may listen: so many in all, so many of one address. Counted in memory, given back when a stream ends.
import { ApiProblem } from '../problem.ts'

export type ConnectionLimiterOptions = {
  maxListeners: number
  maxListenersPerAddress: number
  metrics: { listeners(count: number): void }
}

const RETRY_SECONDS = '30'

/** `take` throws `streams-exhausted` or `too-many-streams`; what it returns gives the place back. */
export const createConnectionLimiter = (options: ConnectionLimiterOptions) => {
  const { maxListeners, maxListenersPerAddress, metrics } = options
  const taken = new Map<string, number>()
  let total = 0
  const count = (address: string, change: 1 | -1): void => {
    total += change
    const left = (taken.get(address) ?? 0) + change
    if (left > 0) taken.set(address, left)
    else taken.delete(address)
    metrics.listeners(total)
  }
  const refuse = (code: 'streams-exhausted' | 'too-many-streams', detail: string): never => {
    throw new ApiProblem(code, detail, { headers: { 'retry-after': RETRY_SECONDS } })
  }
  return {
    take: (address: string): (() => void) => {
      if (total >= maxListeners) {
        refuse('streams-exhausted', `${maxListeners} clients listen already.`)
      }
      if ((taken.get(address) ?? 0) >= maxListenersPerAddress) {
        const detail = `${maxListenersPerAddress} streams go to this address already.`
        refuse('too-many-streams', `${detail} One carries the changes of all proposals.`)
      }
      count(address, 1)
      let isTaken = true
      return () => {
        if (isTaken) count(address, -1)
        isTaken = false
      }
    },
  }
}
