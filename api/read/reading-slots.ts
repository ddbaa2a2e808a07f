// How many pages are read from the store at a time: in all, and for one client, so that no client takes every slot.
import { addressKey } from '../../infra/runtime/client-address.ts'
import { ApiProblem } from '../problem.ts'

export type ReadingSlots = {
  /** Waits while the client has all of its slots in use. Throws `overloaded` where no slot is free for anyone. */
  take<Result>(address: string, read: () => Promise<Result>): Promise<Result>
}

type Client = { reading: number; waiting: (() => void)[] }

/** Requests of one client that wait for a slot; more are refused. */
const MAX_WAITING = 64

const overloaded = () =>
  new ApiProblem('overloaded', 'Too many pages are being read at this moment.')

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
  /** The slot of one that has ended goes to the next of the same client. */
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
