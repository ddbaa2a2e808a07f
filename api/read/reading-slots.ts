// Limits concurrent reads of the store: in total and per client, so that no client uses all slots.
import { addressKey } from '../../infra/runtime/client-address.ts'
import { ApiProblem } from '../problem.ts'

export type ReadingSlots = {
  /** Waits while all slots of the client are in use. Throws `overloaded` if no slot is free in total. */
  take<Result>(address: string, read: () => Promise<Result>): Promise<Result>
}

type Client = { reading: number; waiting: (() => void)[] }

/** Maximum requests of one client that wait for a slot. Further requests are refused. */
const MAX_WAITING = 64

const overloaded = () =>
  new ApiProblem('overloaded', 'The maximum of concurrent reads is reached. Try again in a moment.')

export const createReadingSlots = (max: number, maxPerClient: number): ReadingSlots => {
  const clients = new Map<string, Client>()
  let reading = 0
  const clientAt = (key: string): Client => {
    const known = clients.get(key)
    if (known) return known
    const client = { reading: 0, waiting: [] }
    clients.set(key, client)
    return client
  }
  /** A free slot goes to the next request of the same client. */
  const release = (key: string, client: Client): void => {
    const next = client.waiting.shift()
    if (next) next()
    else client.reading -= 1
    if (client.reading === 0) clients.delete(key)
  }
  return {
    take: async (address, read) => {
      const key = addressKey(address)
      const client = clientAt(key)
      if (client.reading < maxPerClient) client.reading += 1
      else if (client.waiting.length >= MAX_WAITING) throw overloaded()
      else await new Promise<void>((resolve) => client.waiting.push(resolve))
      try {
        if (reading >= max) throw overloaded()
        reading += 1
        return await read().finally(() => {
          reading -= 1
        })
      } finally {
        release(key, client)
      }
    },
  }
}
