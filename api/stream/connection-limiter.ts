// Limits concurrent streams: in total, per address and per network.
import { createClientShares } from '../../infra/base/http/limits/clients.ts'
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
  const open = createClientShares({ perClient: maxListenersPerAddress, total: maxListeners })
  const refuse = (code: 'streams-exhausted' | 'too-many-streams', detail: string): never => {
    throw new ApiProblem(code, detail, { headers: { 'retry-after': RETRY_SECONDS } })
  }
  return {
    take: (address: string): (() => void) => {
      if (open.used >= maxListeners) {
        refuse('streams-exhausted', `The maximum of ${maxListeners} streams is open.`)
      }
      if (open.take(address) < 0) {
        const detail = 'This address or its network has the maximum of open streams already.'
        refuse(
          'too-many-streams',
          `${detail} One stream has the changes of all proposals, or those of 50 accounts.`,
        )
      }
      metrics.listeners(open.used)
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        open.give(address)
        metrics.listeners(open.used)
      }
    },
  }
}
