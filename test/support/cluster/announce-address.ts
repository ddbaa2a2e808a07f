// Makes an embedded engine a replica that other replicas can reach. Its library implements replication, but it has no
// start-up code of the server, which sets the address, scheme and credentials between replicas.
// Therefore replicated tables stay read-only ("Parameter 'interserver_http(s)_port' required for replication is not
// specified in configuration file"). This file replaces the three functions in the memory of the engine's process.
import { closeSync, openSync, readdirSync, readFileSync, readSync, writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

type Replacement = {
  /** The offset of the function in the library of this version. */
  fileOffset: number
  begins: string
  code: Buffer
}

const LIBRARY = /^(?<start>[0-9a-f]+)-[0-9a-f]+ r-xp (?<offset>[0-9a-f]+) .*libchdb\.so$/m
const HOST = '127.0.0.1'
const SCHEME = 'http'
const POLL_MS = 2
const WAIT_MS = 30_000

const hex = (text: string): Buffer => Buffer.from(text, 'hex')

/** A `std::string` of at most 22 bytes: its text, and its length in the last of 24 bytes. */
const shortString = (text: string): Buffer => {
  const bytes = Buffer.alloc(24)
  bytes.write(text)
  bytes.writeUInt8(text.length, 23)
  return bytes
}

/** Stores 24 bytes at the address in RDI. */
const storeAtRdi = (bytes: Buffer): Buffer =>
  Buffer.concat([
    hex('48b9'),
    bytes.subarray(0, 8),
    hex('48890f'),
    hex('48b9'),
    bytes.subarray(8, 16),
    hex('48894f08'),
    hex('48b9'),
    bytes.subarray(16, 24),
    hex('48894f10'),
  ])

const RETURN_RDI = hex('4889f8c3')

const replacementsFor = (port: number): Replacement[] => {
  const portBytes = Buffer.alloc(2)
  portBytes.writeUInt16LE(port)
  return [
    {
      // Context::getInterserverCredentials: a pointer to an empty name and an empty password, 64 bytes further.
      fileOffset: 0x1417b940,
      begins: '41574156534c8b3f498d9f88010000',
      code: Buffer.concat([hex('488d0539000000' + '31d2' + 'c3'), Buffer.alloc(118)]),
    },
    {
      // Context::getInterserverIOAddress: a host and, after it, a port.
      fileOffset: 0x1417b9c0,
      begins: '4156534883ec484c8b36490fbe8e67010000',
      code: Buffer.concat([storeAtRdi(shortString(HOST)), hex('66c74718'), portBytes, RETURN_RDI]),
    },
    {
      // Context::getInterserverScheme.
      fileOffset: 0x1417bac0,
      begins: '488b0680b88701000000',
      code: Buffer.concat([storeAtRdi(shortString(SCHEME)), RETURN_RDI]),
    },
  ]
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The process with this file as an argument. */
const findProcess = (configFile: string): string | undefined =>
  readdirSync('/proc').find(
    (pid) => /^\d+$/.test(pid) && read(`/proc/${pid}/cmdline`).split('\0').includes(configFile),
  )

const replaceFunctions = (pid: string, library: RegExpExecArray, port: number): void => {
  const { start = '', offset = '' } = library.groups ?? {}
  const base = Number.parseInt(start, 16) - Number.parseInt(offset, 16)
  const memory = openSync(`/proc/${pid}/mem`, 'r+')
  try {
    for (const { fileOffset, begins, code } of replacementsFor(port)) {
      const found = Buffer.alloc(begins.length / 2)
      readSync(memory, found, 0, found.length, base + fileOffset)
      if (found.toString('hex') !== begins) {
        throw new Error(`another build of the engine: ${found.toString('hex')} is not ${begins}`)
      }
      writeSync(memory, code, 0, code.length, base + fileOffset)
    }
  } finally {
    closeSync(memory)
  }
}

/** The reason why this machine does not support it, or undefined. */
export const checkReplication = (): string | undefined =>
  process.platform === 'linux' && process.arch === 'x64'
    ? undefined
    : `replicas of the embedded engine run on linux-x64, not on ${process.platform}-${process.arch}`

/** Waits until the process has loaded the library; it loads tables much later. */
export const announceAddress = async (configFile: string, port: number): Promise<void> => {
  const giveUpMs = performance.now() + WAIT_MS
  let pid: string | undefined
  while (performance.now() < giveUpMs) {
    pid ??= findProcess(configFile)
    const library = pid === undefined ? null : LIBRARY.exec(read(`/proc/${pid}/maps`))
    if (pid !== undefined && library) return replaceFunctions(pid, library, port)
    await pause(POLL_MS)
  }
  throw new Error(`no engine with ${configFile} has loaded its library`)
}
