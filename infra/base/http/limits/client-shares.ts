// Counts what each client and its site use. All quotas and limits per client are based on it, so they agree on what a client is.
import { type ClientKeys, clientKeys } from './client-address.ts'

/** The count of one client or one site. `work` weighs what it asked for; a client uses the larger of both. */
export type Count = { value: number; work: number }

const usedBy = (count: Count | undefined): number =>
  count ? Math.max(count.value, Math.floor(count.work)) : 0

/** Where counts are kept. A quota bounds its memory; what clients keep open is bounded by its total. */
export type Counts = {
  /** The count of a key; undefined if it is zero. `shareBy` selects a shared count if there is no exact one left. */
  find(key: string, shareBy: string): Count | undefined
  create(key: string, shareBy: string): Count
  delete(key: string): void
}

export const createExactCounts = (): Counts => {
  const counts = new Map<string, Count>()
  return {
    find: (key) => counts.get(key),
    create: (key) => {
      const count = { value: 0, work: 0 }
      counts.set(key, count)
      return count
    },
    delete: (key) => void counts.delete(key),
  }
}

export type ShareLimits = {
  /** Limit of one client: an IPv4 address, or the /64 of an IPv6 address. */
  perClient: number
  /** Limit of one IPv6 /48, as a number of clients. The default is for what clients keep open. */
  clientsPerSite?: number
  /** A site has at most a quarter of it, also if `perClient` is more. */
  total?: number
}

export type ClientShares = {
  /** What all clients use. */
  readonly used: number
  /** What the client of this address has left; at most 0 if its share or that of its site is used up. */
  left(address: string, perClient?: number): number
  /** Counts one more, and returns what is left then. Negative if the share is used up: nothing is counted then. */
  take(address: string, perClient?: number): number
  /** Adds to the work of the client. */
  charge(address: string, work: number): void
  /** Gives back one of what was taken. */
  give(address: string): void
}

/** A /48 has 65,536 networks of /64. Together they hold as much as this number of clients. */
const CLIENTS_PER_SITE = 4
const SITES_PER_TOTAL = 4

/** The shared count of the clients of a site is not the count of the site. */
const shareKey = ({ client, site }: ClientKeys): string => (site ? `in ${site}` : client)

export const createClientShares = (
  { perClient: limit, clientsPerSite = CLIENTS_PER_SITE, total = Infinity }: ShareLimits,
  counts: Counts = createExactCounts(),
): ClientShares => {
  let used = 0
  const quarter = Math.max(Math.floor(total / SITES_PER_TOTAL), 1)
  const perSite = (perClient: number): number => Math.min(clientsPerSite * perClient, quarter)
  const find = ({ client, site }: ClientKeys, shareBy: string) => ({
    site,
    ofClient: counts.find(client, shareBy),
    ofSite: site === undefined ? undefined : counts.find(site, site),
  })
  const giveOne = (key: string, shareBy: string): void => {
    const count = counts.find(key, shareBy)
    if (!count) return
    count.value -= 1
    if (count.value <= 0) counts.delete(key)
  }
  const compute = (found: ReturnType<typeof find>, perClient: number): number => {
    const left = perClient - usedBy(found.ofClient)
    if (found.site === undefined) return left
    return Math.min(left, perSite(perClient) - usedBy(found.ofSite))
  }
  return {
    get used() {
      return used
    },
    left: (address, perClient = limit) => {
      const keys = clientKeys(address)
      return compute(find(keys, shareKey(keys)), perClient)
    },
    take: (address, perClient = limit) => {
      const keys = clientKeys(address)
      const shareBy = shareKey(keys)
      const found = find(keys, shareBy)
      const left = compute(found, perClient) - 1
      if (left < 0) return left
      const { client, site } = keys
      const { ofClient = counts.create(client, shareBy), ofSite } = found
      ofClient.value += 1
      if (site !== undefined) (ofSite ?? counts.create(site, site)).value += 1
      used += 1
      return left
    },
    charge: (address, work) => {
      const keys = clientKeys(address)
      const shareBy = shareKey(keys)
      const { ofClient = counts.create(keys.client, shareBy), ofSite } = find(keys, shareBy)
      ofClient.work += work
      const { site } = keys
      if (site !== undefined) (ofSite ?? counts.create(site, site)).work += work
    },
    give: (address) => {
      const keys = clientKeys(address)
      giveOne(keys.client, shareKey(keys))
      if (keys.site !== undefined) giveOne(keys.site, keys.site)
      used -= 1
    },
  }
}
