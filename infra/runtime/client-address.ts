// Maps an address to the client that quotas and limits count. Pure.
import { isIP } from 'node:net'

const IPV4_MAPPED = '::ffff:'
/** An IPv4 address or a bracketed IPv6 address with a port, as some proxies write it into `X-Forwarded-For`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([0-9.]+)):[0-9]{1,5}$/
/** All text that is not an address counts as one client, so that invented text never creates a new key. */
const NO_ADDRESS = 'no address'

const parseHextets = (address: string): string[] => {
  const [head = '', tail] = address.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(8 - front.length - back.length, 0)
  const hextets = [...front, ...Array<string>(zeros).fill('0'), ...back]
  return hextets.map((hextet) => Number.parseInt(hextet, 16).toString(16))
}

const plainAddress = (text: string): string => {
  const [, bracketed, withPort] = WITH_PORT.exec(text) ?? []
  const address = bracketed ?? withPort ?? text
  return address.startsWith(IPV4_MAPPED) && isIP(address.slice(IPV4_MAPPED.length)) === 4
    ? address.slice(IPV4_MAPPED.length)
    : address
}

/** `site` is the /48 of an IPv6 address; undefined for IPv4. */
export type ClientKeys = { client: string; site: string | undefined }

/** An IPv6 client is its /64, the usual size of the network of a household or a machine. */
export const clientKeys = (text = ''): ClientKeys => {
  const address = isIP(text) === 4 ? text : plainAddress(text)
  const version = isIP(address)
  if (version === 4) return { client: address, site: undefined }
  if (version !== 6) return { client: NO_ADDRESS, site: undefined }
  const hextets = parseHextets(address)
  return { client: hextets.slice(0, 4).join(':'), site: `${hextets.slice(0, 3).join(':')}/48` }
}

export const addressKey = (address?: string): string => clientKeys(address).client
