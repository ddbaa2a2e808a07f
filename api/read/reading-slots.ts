// Limits concurrent reads of the store: in total, per client and per network, so that no client uses all slots.
import { createClientShares, findNetwork } from '../../infra/base/http/limits/clients.ts'
import { ApiProblem } from './problems.ts'

export type ReadingSlotsOptions = {
  /** Limit of all reads. */
  max: number
  maxPerClient: number
  /** Each read uses at least one of these connections, of which a network has at most a quarter. Default: `max`. */
  connections?: number
}

export type ReadingSlots = {
  /** Waits while all slots of the client or its network are in use. Throws `overloaded` if no slot is free in total. */
  take<Result>(address: string, read: () => Promise<Result>): Promise<Result>
}

type Waiting = { address: string; start: () => void }

/** Maximum requests of one client that wait for a slot. Further requests are refused. */
const MAX_WAITING = 64

const overloaded = () =>
  new ApiProblem('overloaded', 'The maximum of concurrent reads is reached. Try again in a moment.')

export const createReadingSlots = ({
  max,
  maxPerClient,
  connections = max,
}: ReadingSlotsOptions): ReadingSlots => {
  const slots = createClientShares({ perClient: maxPerClient, total: Math.min(max, connections) })
  const places = createClientShares({ perClient: MAX_WAITING })
  /** By network, in the order of the requests. */
  const queues = new Map<string, Waiting[]>()

  const wait = (address: string): Promise<void> => {
    if (places.take(address) < 0) throw overloaded()
    const network = findNetwork(address)
    const queue = queues.get(network) ?? []
    queues.set(network, queue)
    return new Promise((resolve) => queue.push({ address, start: resolve }))
  }
  /** A free slot goes to the first request of the network whose client may have it. */
  const release = (address: string): void => {
    slots.give(address)
    const network = findNetwork(address)
    const queue = queues.get(network)
    const next = queue?.findIndex((waiting) => slots.left(waiting.address) > 0) ?? -1
    const [waiting] = next < 0 ? [] : (queue?.splice(next, 1) ?? [])
    if (queue?.length === 0) queues.delete(network)
    if (!waiting) return
    places.give(waiting.address)
    slots.take(waiting.address)
    waiting.start()
  }
  return {
    take: async (address, read) => {
      if (slots.take(address) < 0) await wait(address)
      try {
        if (slots.used > max) throw overloaded()
        return await read()
      } finally {
        release(address)
      }
    },
  }
}
