// Maps an address to the client that quotas and limits count. Pure, apart from what it remembers.
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'

/** An IPv4 address or a bracketed IPv6 address with a port, as some proxies write it into `X-Forwarded-For`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([0-9.]+)):[0-9]{1,5}$/
/** Prefixes of IPv6 addresses that contain an IPv4 address: IPv4-mapped (RFC 4291), and of a translator (RFC 6052). */
const IPV4_PREFIXES = new Set(['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'])
const LOOPBACK = '0:0:0:0:0:0:0:1'
/** All text that is not an address counts as one client, so that invented text never creates a new key. */
const NO_ADDRESS = 'no address'

const parseGroups = (text: string): number[] =>
  (text === '' ? [] : text.split(':')).flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })

/** The eight hextets of a valid IPv6 address, in its canonical form without `::`. */
const parseHextets = (address: string): number[] => {
  const [withoutZone = ''] = address.split('%')
  const [head = '', tail = ''] = withoutZone.split('::')
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
