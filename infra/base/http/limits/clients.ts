// Counts what each client and its site use. All quotas and limits per client are based on it, so they agree on what a client is.
import { hash, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'

/** The count of one client or one site. `work` weighs what it asked for; a client uses the larger of both. */
type Count = { value: number; work: number }

/** Clients and sites with a count of their own, so that the memory of a quota stays bounded. */
const MAX_EXACT = 200_000
/** Further ones share 65,536 counts: each shares its count with few others. */
const SHARED_DIGITS = 4

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

export const createClientShares = ({
  perClient: limit,
  clientsPerSite = CLIENTS_PER_SITE,
  total = Infinity,
}: ShareLimits): ClientShares => {
  const counts = new Map<string, Count>()
  const quarter = Math.max(Math.floor(total / SITES_PER_TOTAL), 1)
  /** Clients cannot choose with which clients they share a count. */
  const salt = randomBytes(8).toString('hex')
  let used = 0

  const nameOf = (key: string): string =>
    counts.size < MAX_EXACT || counts.has(key)
      ? key
      : `shared ${hash('sha1', salt + key).slice(0, SHARED_DIGITS)}`
  const leftOf = (key: string, most: number): number => {
    const count = counts.get(nameOf(key))
    return count ? most - Math.max(count.value, Math.floor(count.work)) : most
  }
  const left = ({ client, site }: ClientKeys, perClient: number): number => {
    const ofClient = leftOf(client, perClient)
    if (site === undefined) return ofClient
    return Math.min(ofClient, leftOf(site, Math.min(clientsPerSite * perClient, quarter)))
  }
  const addTo = (key: string, value: number, work: number): void => {
    const name = nameOf(key)
    const known = counts.get(name)
    const count = known ?? { value: 0, work: 0 }
    count.value += value
    count.work += work
    if (count.value <= 0 && count.work <= 0) counts.delete(name)
    else if (!known) counts.set(name, count)
  }
  const add = (address: string, value: number, work: number): void => {
    const { client, site } = clientKeys(address)
    addTo(client, value, work)
    if (site !== undefined) addTo(site, value, work)
    used += value
  }
  return {
    get used() {
      return used
    },
    left: (address, perClient = limit) => left(clientKeys(address), perClient),
    take: (address, perClient = limit) => {
      const after = left(clientKeys(address), perClient) - 1
      if (after >= 0) add(address, 1, 0)
      return after
    },
    charge: (address, work) => add(address, 0, work),
    give: (address) => add(address, -1, 0),
  }
}

/** An IPv4 address or a bracketed IPv6 address with a port, as some proxies write it into `X-Forwarded-For`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([0-9.]+)):[0-9]{1,5}$/
/** Prefixes of IPv6 addresses that contain an IPv4 address: IPv4-mapped (RFC 4291), and of a translator (RFC 6052). */
const IPV4_PREFIXES = new Set(['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'])
const LOOPBACK = '0:0:0:0:0:0:0:1'
/** All text that is not an address counts as one client, so that invented text never creates a new key. */
const NO_ADDRESS = 'no address'

/** The eight hextets of a valid IPv6 address, each without leading zeros. */
const parseHextets = (address: string): string[] => {
  const [withoutZone = ''] = address.split('%')
  // A URL has the canonical form, without an IPv4 address at its end.
  const canonical = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1)
  const [front = [], back = []] = canonical
    .split('::')
    .map((half) => half.split(':').filter((hextet) => hextet !== ''))
  return [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back]
}

/** `site` is the /48 of an IPv6 address; undefined for IPv4, and for the loopback address, which has no network. */
export type ClientKeys = { client: string; site: string | undefined }

/** An IPv6 client is its /64, the usual size of the network of a household or a machine. */
const ipv6Keys = (address: string): ClientKeys => {
  const hextets = parseHextets(address)
  const first = (count: number): string => hextets.slice(0, count).join(':')
  if (IPV4_PREFIXES.has(first(6))) {
    const [high = 0, low = 0] = hextets.slice(6).map((hextet) => Number.parseInt(hextet, 16))
    return { client: [high >> 8, high & 255, low >> 8, low & 255].join('.'), site: undefined }
  }
  return { client: first(4), site: first(8) === LOOPBACK ? undefined : `${first(3)}/48` }
}

/** Clients send many requests, and the keys of an IPv6 address cost much more than the rest of a count. */
const known = new LRUCache<string, ClientKeys>({ max: 1_000 })
const MAX_KNOWN_LENGTH = 64

const parseKeys = (text: string): ClientKeys => {
  const [, bracketed, withPort] = WITH_PORT.exec(text) ?? []
  const address = bracketed ?? withPort ?? text
  const version = isIP(address)
  if (version === 6) return ipv6Keys(address)
  return { client: version === 4 ? address : NO_ADDRESS, site: undefined }
}

/** The client, or the site of an IPv6 address: what shares with others by turns. */
export function findNetwork(address: string): string {
  const { client, site } = clientKeys(address)
  return site ?? client
}

export function clientKeys(text = ''): ClientKeys {
  const found = known.get(text)
  if (found) return found
  const keys = parseKeys(text)
  if (text.length <= MAX_KNOWN_LENGTH) known.set(text, keys)
  return keys
}
