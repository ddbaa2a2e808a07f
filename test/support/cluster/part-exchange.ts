// Exchanges data parts between replicas by version 1 of ClickHouse's protocol.
// The embedded engine requests parts and announces a port, but does not listen: this server reads the parts from its disk.
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { fileHash } from './city-hash.ts'

const PREFIX = 'DataPartsExchange:'

/** The directory of the table with this replica path in the coordination service, or undefined. */
export type FindTable = (replicaPath: string) => Promise<string | undefined>

export type PartExchange = {
  handle(request: IncomingMessage, response: ServerResponse): void
  /** Parts that other replicas fetched from this server. */
  sent(): number
}

const uint64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

const varUint = (value: number): Buffer => {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80)
  return Buffer.from([...bytes, rest])
}

const encodeFile = (name: string, bytes: Buffer): Buffer[] => {
  const { low, high } = fileHash(bytes)
  const title = Buffer.from(name)
  return [
    varUint(title.length),
    title,
    uint64(BigInt(bytes.length)),
    bytes,
    uint64(low),
    uint64(high),
  ]
}

/** Total size, number of files, and each file with its name, size and checksum. */
const encodePart = async (folder: string): Promise<Buffer> => {
  const names = (await readdir(folder)).sort()
  const files = await Promise.all(
    names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })),
  )
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return Buffer.concat([
    uint64(BigInt(total)),
    uint64(BigInt(files.length)),
    ...files.flatMap(({ name, bytes }) => encodeFile(name, bytes)),
  ])
}

export const createPartExchange = (findTable: FindTable): PartExchange => {
  let sent = 0
  const send = async (url: URL, response: ServerResponse) => {
    const endpoint = url.searchParams.get('endpoint') ?? ''
    const part = url.searchParams.get('part') ?? ''
    const folder = await findTable(endpoint.slice(PREFIX.length))
    if (!endpoint.startsWith(PREFIX) || folder === undefined || /[./]/.test(part)) {
      throw new Error(`no table at ${endpoint}`)
    }
    const encoded = await encodePart(join(folder, part))
    response.setHeader('set-cookie', 'server_protocol_version=1')
    response.end(encoded)
    sent += 1
  }
  return {
    handle: (request, response) => {
      request.resume()
      send(new URL(request.url ?? '/', 'http://127.0.0.1'), response).catch((error: unknown) => {
        // The same error as a server: the client tries again, here or at another replica.
        response.writeHead(500).end(`Code: 232. DB::Exception: ${error}. (NO_SUCH_DATA_PART)`)
      })
    },
    sent: () => sent,
  }
}
