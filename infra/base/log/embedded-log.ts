// The event log on one machine: an LMDB file with one writer and any number of readers in other processes.
// The only importer of `lmdb`. Commits are synchronous and flushed: what `append` returned is on disk.
// Steps that LMDB does not isolate from those of other processes hold the lock of `commit-lock.ts`.
import { chmodSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, RootDatabase, RootDatabaseOptions } from 'lmdb'
import { type LinkedAbort, linkedAbort } from '../runtime/abort.ts'
import { pause } from '../runtime/clock.ts'
import { AppError } from '../runtime/errors.ts'
import { makeDirectory } from '../runtime/make-directory.ts'
import { type CommitLock, openCommitLock } from './commit-lock.ts'
import { appendFailure, logFull } from './disk-space.ts'
import { refuseLargeEntries } from './entry-size.ts'
import type { EventLog, LogEntry, LogRecord, ReadLimits } from './event-log.ts'
import { checkLogFile } from './log-file-check.ts'
import { decodeKey, decodeRecord, encodeKey, encodeRecord, HEADER_BYTES } from './record-codec.ts'

export type EmbeddedLogOptions = {
  /** A separate directory; created if it is absent, unless `readOnly`. */
  path: string
  /** For a process that only reads: it polls for new records. */
  readOnly?: boolean
  /** Any number of processes append: none fences another, and each polls for what the others append. */
  shared?: boolean
  /** Maximum size of the file; beyond it `LOG_FULL`. By default only the disk limits it. */
  mapSizeBytes?: number
}

const FILE_NAME = 'data.mdb'
const FORMAT = '1'
const POLL_MS = 100
const PAGE_BYTES = 4096
const OWNER_ONLY_DIRECTORY = 0o700
const OWNER_ONLY_FILE = 0o600
/** Address space, not memory: large, because a map that grows must be mapped again. */
const ADDRESS_SPACE_BYTES = 2 ** 36

type Tables = { root: RootDatabase; records: Database; heights: Database; lock: CommitLock }

const damaged = (file: string, detail: string): AppError =>
  new AppError(
    'LOG_DAMAGED',
    `the event log is damaged: ${file}: ${detail}. Nothing was changed; restore it from a copy, or start with an empty data directory`,
    { expose: true },
  )

/**
 * LMDB returns every value in one shared buffer, so each value is copied. Small values share a slab,
 * because a separate `ArrayBuffer` for each would dominate the cost of a read.
 */
const copied = {
  encode: (bytes: Uint8Array) => bytes,
  decode(read: Uint8Array): Buffer {
    const copy = Buffer.allocUnsafe(read.length)
    copy.set(new Uint8Array(read.buffer, read.byteOffset, read.length))
    return copy
  },
}

type Lmdb = typeof import('lmdb')

const openFile = ({ open }: Lmdb, path: string, readOnly: boolean): Omit<Tables, 'lock'> => {
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const
  const root = open({
    path,
    ...binary,
    readOnly,
    noSubdir: false,
    maxDbs: 4,
    mapSize: ADDRESS_SPACE_BYTES,
    // A reader must never see a record that a power failure could still remove.
    overlappingSync: false,
  })
  const options: RootDatabaseOptions = { ...binary, encoder: copied }
  const table = (name: string) => root.openDB({ name, ...options })
  const format = table('format')
  if (!readOnly && format.get(encodeKey(0n)) === undefined) {
    format.putSync(encodeKey(0n), Buffer.from(FORMAT))
  }
  const found = String(format?.get(encodeKey(0n)))
  if (found !== FORMAT) {
    void root.close()
    throw damaged(join(path, FILE_NAME), `format ${found} is not known, only ${FORMAT}`)
  }
  return { root, records: table('records'), heights: table('heights') }
}

const openTables = async (path: string, readOnly: boolean): Promise<Tables> => {
  // Imported on demand: with Kafka, the native module need not be installed.
  const lmdb = await import('lmdb')
  const lock = await openCommitLock(path)
  try {
    return { ...lock.runAlone(() => openFile(lmdb, path, readOnly)), lock }
  } catch (error) {
    lock.close()
    throw error
  }
}

const closeTables = async ({ root, lock }: Tables): Promise<void> => {
  try {
    await lock.runAlone(() => root.close())
  } finally {
    lock.close()
  }
}

/** Only for its owner. An older or copied log may be readable to others. */
const restrict = (path: string): void => {
  try {
    chmodSync(path, OWNER_ONLY_DIRECTORY)
    for (const name of readdirSync(path)) chmodSync(join(path, name), OWNER_ONLY_FILE)
  } catch (error) {
    // Another user owns the directory, and sets its permissions.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}

/** Created under another name and renamed: an existing log is complete, so an empty file is damaged. */
const createLog = async ({ path, shared }: EmbeddedLogOptions): Promise<void> => {
  const temporaryPath = shared ? `${path}.new-${process.pid}` : `${path}.new`
  rmSync(temporaryPath, { recursive: true, force: true })
  makeDirectory(temporaryPath)
  await closeTables(await openTables(temporaryPath, false))
  if (!shared) rmSync(path, { recursive: true, force: true })
  try {
    renameSync(temporaryPath, path)
  } catch (error) {
    // Another writer was faster.
    if (!shared || !existsSync(join(path, FILE_NAME))) throw error
    rmSync(temporaryPath, { recursive: true, force: true })
  }
}

const prepare = async (options: EmbeddedLogOptions): Promise<void> => {
  const { path, readOnly = false } = options
  const file = join(path, FILE_NAME)
  if (existsSync(file)) {
    const problem = checkLogFile(file)
    if (problem) throw damaged(file, problem)
    return
  }
  if (readOnly) {
    throw new AppError('LOG_UNAVAILABLE', `there is no event log at ${path} yet`, {
      retryable: true,
    })
  }
  if (existsSync(path) && readdirSync(path).length > 0) throw damaged(file, 'the file is missing')
  await createLog(options)
}

const lastKey = ({ records }: Tables): Buffer | undefined => {
  for (const key of records.getKeys({ reverse: true, limit: 1 })) return key as Buffer
  return undefined
}

const readEnd = (tables: Tables): bigint => {
  const key = lastKey(tables)
  return key ? decodeKey(key) + 1n : 0n
}

const putAll = ({ records, heights }: Tables, from: bigint, entries: readonly LogEntry[]) => {
  let offset = from
  let height: number | undefined
  for (const entry of entries) {
    const key = encodeKey(offset)
    records.putSync(key, encodeRecord(key, entry), { append: true })
    if (entry.height !== height) {
      height = entry.height
      const heightKey = encodeKey(BigInt(height))
      if (heights.get(heightKey) === undefined) heights.putSync(heightKey, key)
    }
    offset++
  }
  return offset
}

/** An upper bound of what these entries add to the file. */
const estimateSize = (entries: readonly LogEntry[]): number =>
  entries.reduce(
    (sum, { value }) => sum + value.byteLength + HEADER_BYTES + PAGE_BYTES,
    16 * PAGE_BYTES,
  )

const readFrom = (tables: Tables, file: string, from: bigint, limits: ReadLimits) => {
  const found: LogRecord[] = []
  let bytes = 0
  for (const { key, value } of tables.records.getRange({
    start: encodeKey(from),
    limit: Math.max(1, limits.maxRecords),
  })) {
    bytes += value.byteLength
    if (found.length > 0 && bytes > limits.maxBytes) break
    const record = decodeRecord(key as Buffer, value)
    if (!record) throw damaged(file, `record ${decodeKey(key as Buffer)} fails its checksum`)
    found.push(record)
  }
  return found
}

/** Sleepers that an append, an abort or the close wakes. */
const createWakers = () => {
  const sleeping = new Set<LinkedAbort>()
  return {
    wakeAll: () => {
      for (const sleeper of sleeping) sleeper.abort()
    },
    pause: async (ms: number, signal: AbortSignal): Promise<void> => {
      const sleeper = linkedAbort(signal)
      sleeping.add(sleeper)
      await pause(ms, sleeper.signal)
      sleeping.delete(sleeper)
      sleeper.unlink()
    },
  }
}

/**
 * Opens (and for a writer creates) the log. Throws `LOG_DAMAGED` with the name of the file, and then changes
 * nothing. Throws `LOG_UNAVAILABLE` if a reader opens the log before a writer has created it.
 */
export const openEmbeddedLog = async (options: EmbeddedLogOptions): Promise<EventLog> => {
  const { path, readOnly = false, shared = false } = options
  const file = join(path, FILE_NAME)
  await prepare(options)
  const tables = await openTables(path, readOnly)
  if (!readOnly) restrict(path)
  const wakers = createWakers()
  let closing: Promise<void> | undefined
  let isClosed = false
  /** The offset of the next record of this writer; another number in the file means another writer. */
  let tail = readEnd(tables)

  const fresh = (): Tables => {
    if (isClosed) throw new AppError('LOG_UNAVAILABLE', 'the event log is closed')
    tables.root.resetReadTxn()
    return tables
  }

  const commit = (entries: readonly LogEntry[]): bigint =>
    tables.lock.runAlone(() =>
      tables.root.transactionSync(() => {
        const end = readEnd(tables)
        if (end !== tail && !shared) {
          throw new AppError('LOG_FENCED', `another writer has appended to ${file}`)
        }
        return putAll(tables, end, entries)
      }),
    )

  const append = async (entries: readonly LogEntry[]): Promise<bigint> => {
    fresh()
    if (readOnly) throw new AppError('LOG_FENCED', `${file} is open for reading only`)
    if (entries.length === 0) return tail
    refuseLargeEntries(entries)
    const bytes = estimateSize(entries)
    const { lastPageNumber } = tables.root.getStats() as { lastPageNumber: number }
    const limit = options.mapSizeBytes ?? Number.POSITIVE_INFINITY
    if (lastPageNumber * PAGE_BYTES + bytes > limit) throw logFull(file, `limit ${limit} bytes`)
    try {
      tail = commit(entries)
    } catch (error) {
      throw appendFailure(file, bytes, error)
    }
    wakers.wakeAll()
    return tail
  }

  const waitFor: EventLog['waitFor'] = async (from, { timeoutMs, signal }) => {
    const untilMs = performance.now() + timeoutMs
    while (!isClosed && !signal.aborted && readEnd(fresh()) <= from) {
      const leftMs = untilMs - performance.now()
      if (leftMs <= 0) return
      await wakers.pause(readOnly || shared ? Math.min(POLL_MS, leftMs) : leftMs, signal)
    }
  }

  return {
    append,
    waitFor,
    read: async (from, limits) => readFrom(fresh(), file, from, limits),
    last: async () => {
      const end = readEnd(fresh())
      if (end === 0n) return undefined
      return readFrom(tables, file, end - 1n, { maxRecords: 1, maxBytes: 0 })[0]
    },
    end: async () => readEnd(fresh()),
    offsetOfHeight: async (height) => {
      const start = encodeKey(BigInt(Math.max(0, Math.ceil(height))))
      for (const { value } of fresh().heights.getRange({ start, limit: 1 })) return decodeKey(value)
      return readEnd(tables)
    },
    close: () => {
      isClosed = true
      wakers.wakeAll()
      closing ??= closeTables(tables)
      return closing
    },
  }
}
