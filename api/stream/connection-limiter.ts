// Limits concurrent streams: in total and per address.
import { ApiProblem } from '../problem.ts'

export type ConnectionLimiterOptions = {
  maxListeners: number
  maxListenersPerAddress: number
  metrics: { listeners(count: number): void }
}

const RETRY_SECONDS = '30'

/** `take` throws `streams-exhausted` or `too-many-streams`. It returns a function that releases the stream. */
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
        refuse('streams-exhausted', `The maximum of ${maxListeners} streams is open.`)
      }
      if ((taken.get(address) ?? 0) >= maxListenersPerAddress) {
        const detail = `This address has ${maxListenersPerAddress} open streams already.`
        refuse('too-many-streams', `${detail} One stream has the changes of all proposals.`)
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
