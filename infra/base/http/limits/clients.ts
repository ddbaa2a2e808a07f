// Counts what each client and its site use. All quotas and limits per client are based on it, so they agree on what a client is.
import { randomInt } from 'node:crypto'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'

/** The count of one client or one site. `work` weighs what it asked for; a client uses the larger of both. */
type Count = { value: number; work: number }

const usedBy = (count: Count | undefined): number =>
  count ? Math.max(count.value, Math.floor(count.work)) : 0

/** Clients and sites with a count of their own, so that the memory of a quota stays bounded. */
const MAX_EXACT = 200_000
/** Further clients share this number of counts: each client shares its count with few others. */
const SHARED_COUNTS = 65_536

/** `shareBy` selects a shared count if there is no exact one left. */
const createCounts = () => {
  const counts = new Map<string, Count>()
  const start = randomInt(2 ** 32)
  /** FNV-1a from a random start: clients cannot choose with which clients they share a count. */
  const sharedKey = (key: string): string => {
    let hash = start
    for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 16_777_619)
    return `shared ${(hash >>> 0) % SHARED_COUNTS}`
  }
  const isFull = (): boolean => counts.size >= MAX_EXACT
  return {
    /** Undefined if it is zero. */
    find: (key: string, shareBy: string): Count | undefined =>
      counts.get(key) ?? (isFull() ? counts.get(sharedKey(shareBy)) : undefined),
    create: (key: string, shareBy: string): Count => {
      const name = isFull() ? sharedKey(shareBy) : key
      const count = counts.get(name) ?? { value: 0, work: 0 }
      counts.set(name, count)
      return count
    },
    delete: (key: string): void => void counts.delete(key),
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

export const createClientShares = ({
  perClient: limit,
  clientsPerSite = CLIENTS_PER_SITE,
  total = Infinity,
}: ShareLimits): ClientShares => {
  const counts = createCounts()
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

/** An IPv4 address or a bracketed IPv6 address with a port, as some proxies write it into `X-Forwarded-For`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([0-9.]+)):[0-9]{1,5}$/
/** Prefixes of IPv6 addresses that contain an IPv4 address: IPv4-mapped (RFC 4291), and of a translator (RFC 6052). */
const IPV4_PREFIXES = new Set(['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'])
const LOOPBACK = '0:0:0:0:0:0:0:1'
/** All text that is not an address counts as one client, so that invented text never creates a new key. */
const NO_ADDRESS = 'no address'

const parseGroups = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))

/** The eight hextets of a valid IPv6 address. */
const parseHextets = (address: string): number[] => {
  const [withoutZone = ''] = address.split('%')
  // A URL has the canonical form, without an IPv4 address at its end.
  const [head = '', tail = ''] = new URL(`http://[${withoutZone}]`).hostname
    .slice(1, -1)
    .split('::')
  const [front, back] = [parseGroups(head), parseGroups(tail)]
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back]
}

const format = (hextets: number[]): string => hextets.map((hextet) => hextet.toString(16)).join(':')

/** `site` is the /48 of an IPv6 address; undefined for IPv4, and for the loopback address, which has no network. */
export type ClientKeys = { client: string; site: string | undefined }

/** An IPv6 client is its /64, the usual size of the network of a household or a machine. */
const ipv6Keys = (address: string): ClientKeys => {
  const hextets = parseHextets(address)
  if (IPV4_PREFIXES.has(format(hextets.slice(0, 6)))) {
    const bytes = hextets.slice(6).flatMap((hextet) => [hextet >> 8, hextet & 255])
    return { client: bytes.join('.'), site: undefined }
  }
  const isLoopback = format(hextets) === LOOPBACK
  const site = isLoopback ? undefined : `${format(hextets.slice(0, 3))}/48`
  return { client: format(hextets.slice(0, 4)), site }
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

export function clientKeys(text = ''): ClientKeys {
  const found = known.get(text)
  if (found) return found
  const keys = parseKeys(text)
  if (text.length <= MAX_KNOWN_LENGTH) known.set(text, keys)
  return keys
}
