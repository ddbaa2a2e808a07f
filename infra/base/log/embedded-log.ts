// The event log on one machine: an SQLite file with any number of readers in other processes.
// A commit is flushed before any reader sees it: what `append` returned is on disk.
// No call waits for a lock inside SQLite: a step that finds the file locked is repeated from the event loop.
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type LinkedAbort, linkedAbort } from '../runtime/abort.ts'
import { pause } from '../runtime/clock.ts'
import { AppError, hasCode } from '../runtime/errors.ts'
import { makeDirectory, syncDirectory } from '../runtime/files.ts'
import { policies } from '../runtime/policies.ts'
import { retry } from '../runtime/retry.ts'
import type { EventLog, LogEntry, LogRecord, ReadLimits } from './event-log.ts'
import { refuseLargeEntries } from './event-log.ts'
import { decodeRecord, encodeRecord } from './record-codec.ts'
import {
  type Database,
  isBusy,
  isDamage,
  isDiskFull,
  isSqliteError,
  openDatabase,
} from './sqlite.ts'

export type EmbeddedLogOptions = {
  /** A separate directory; created if it is absent, unless `readOnly`. */
  path: string
  /** For a process that only reads: it polls for new records. */
  readOnly?: boolean
  /** Any number of processes append: none fences another, and each polls for what the others append. */
  shared?: boolean
}

export const EMBEDDED_LOG_FILE = 'log.db'

/** "ROLL", in the header of the file. */
const APPLICATION_ID = 0x524f4c4c
const FORMAT = 1
const OWNER_ONLY_FILE = 0o600
const POLL_MS = 100
/** A larger file is checked by its newest records, and when it is read: the check must not delay a start. */
const CHECKED_FILE_BYTES = 128 * 2 ** 20
const CHECKED_RECORDS_BYTES = 32 * 2 ** 20
const READ_ALL = 2 ** 31
const MAX_WAL_BYTES = 16 * 2 ** 20

const CREATE = `
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${FORMAT};
  PRAGMA journal_mode = WAL;
  CREATE TABLE log (offset INTEGER PRIMARY KEY, height INTEGER NOT NULL, record BLOB NOT NULL) STRICT;
  CREATE INDEX heights ON log (height);`

const SETTINGS = `
  PRAGMA synchronous = FULL;
  PRAGMA trusted_schema = OFF;
  PRAGMA cell_size_check = ON;
  PRAGMA journal_size_limit = ${MAX_WAL_BYTES};`

const damaged = (file: string, detail: string): AppError =>
  new AppError(
    'LOG_DAMAGED',
    `the event log is damaged: ${file}: ${detail}. Nothing was changed; restore it from a copy, or start with an empty data directory`,
    { expose: true },
  )

const closedError = () => new AppError('LOG_UNAVAILABLE', 'the event log is closed')

type Action = 'read' | 'append to'

/** The error of a refused step. Nothing of an append is in the log then: SQLite commits atomically. */
const toLogError = (file: string, action: Action, error: unknown): unknown => {
  if (!isSqliteError(error)) return error
  if (isDamage(error)) return damaged(file, error.message)
  const isAppend = action === 'append to'
  if (isAppend && isDiskFull(error)) {
    const message = `no space to append to ${file} (${error.message})`
    return new AppError('LOG_FULL', message, { cause: error })
  }
  const message = isBusy(error)
    ? `${file} stays locked by a frozen process`
    : `could not ${action} ${file}: ${error.message}`
  const retryable = isAppend || isBusy(error)
  return new AppError('LOG_UNAVAILABLE', message, { retryable, expose: true, cause: error })
}

/** Repeats a step while another process has a lock. */
const whenUnlocked = async <Result>(
  file: string,
  step: () => Result,
  { action = 'read', signal = new AbortController().signal }: StepOptions = {},
): Promise<Result> => {
  const attempt = async () => {
    try {
      return step()
    } catch (error) {
      throw toLogError(file, action, error)
    }
  }
  return await retry(attempt, {
    ...policies.lockedFile,
    signal,
    when: ({ cause }) => isBusy(cause),
  })
}

type StepOptions = { action?: Action; signal?: AbortSignal }

type Row = [offset: number, record: Buffer]

/** Always with `all`: a statement that is not read to its end keeps its snapshot, and blocks the file. */
const prepareReads = (db: Database) => {
  const end = db.prepare('SELECT max(offset) FROM log').raw()
  const sizes = db
    .prepare('SELECT length(record) FROM log WHERE offset >= ? ORDER BY offset LIMIT ?')
    .raw()
  const from = db
    .prepare('SELECT offset, record FROM log WHERE offset >= ? ORDER BY offset LIMIT ?')
    .raw()
  const height = db
    .prepare('SELECT offset, record FROM log WHERE height >= ? ORDER BY height, offset LIMIT 1')
    .raw()
  return {
    end: (): bigint => {
      const [row] = end.all() as [number | null][]
      return row?.[0] == null ? 0n : BigInt(row[0]) + 1n
    },
    sizes: (offset: bigint, limit: number) => sizes.all(Number(offset), limit) as [number][],
    from: (offset: bigint, limit: number) => from.all(Number(offset), limit) as Row[],
    fromHeight: (wanted: number) => height.all(wanted) as Row[],
  }
}

type Reads = ReturnType<typeof prepareReads>

const decodeRow = (file: string, [offset, record]: Row): LogRecord => {
  const decoded = decodeRecord(BigInt(offset), record)
  if (decoded) return decoded
  throw damaged(file, `record ${offset} fails its checksum`)
}

/** How many records from `offset` on are within the limits: at least one. */
const countWithin = (reads: Reads, offset: bigint, { maxRecords, maxBytes }: ReadLimits) => {
  let bytes = 0
  let count = 0
  for (const [size] of reads.sizes(offset, Math.max(1, maxRecords))) {
    bytes += size
    if (count > 0 && bytes > maxBytes) break
    count++
  }
  return count
}

const readFrom = (reads: Reads, file: string, offset: bigint, limits: ReadLimits): LogRecord[] => {
  const rows = reads.from(offset, countWithin(reads, offset, limits))
  return rows.map((row, at) => {
    const expected = Number(offset) + at
    if (row[0] !== expected) throw damaged(file, `record ${expected} is missing`)
    return decodeRow(file, row)
  })
}

const readPragma = (db: Database, name: string): unknown =>
  Object.values((db.prepare(`PRAGMA ${name}`).all()[0] ?? {}) as object)[0]

const checkFormat = (db: Database, file: string): void => {
  const isOurs = readPragma(db, 'application_id') === APPLICATION_ID
  if (!isOurs) throw damaged(file, 'it is not an event log')
  const format = readPragma(db, 'user_version')
  if (format !== FORMAT) throw damaged(file, `format ${format} is not known, only ${FORMAT}`)
  if (readPragma(db, 'journal_mode') !== 'wal') throw damaged(file, 'its header is garbled')
}

/** The whole file if it is small, and the newest records: a crash most likely damages what was written last. */
const checkRecords = (db: Database, file: string): void => {
  if (statSync(file).size <= CHECKED_FILE_BYTES) {
    const found = readPragma(db, 'integrity_check(1)')
    if (found !== 'ok') throw damaged(file, String(found).split('\n').at(-1) ?? '')
  }
  const reads = prepareReads(db)
  const limits = { maxRecords: 1_000, maxBytes: 4 * 2 ** 20 }
  let until = reads.end()
  let bytes = 0
  while (until > 0n && bytes < CHECKED_RECORDS_BYTES) {
    const from = until > BigInt(limits.maxRecords) ? until - BigInt(limits.maxRecords) : 0n
    for (let at = from; at < until; ) {
      const records = readFrom(reads, file, at, limits)
      for (const { value } of records) bytes += value.byteLength
      at += BigInt(records.length)
    }
    until = from
  }
}

/** Created under another name and renamed: an existing log is complete, so an empty file is damaged. */
const createLog = ({ path, shared }: EmbeddedLogOptions): void => {
  const temporaryPath = shared ? `${path}.new-${randomUUID()}` : `${path}.new`
  rmSync(temporaryPath, { recursive: true, force: true })
  makeDirectory(temporaryPath)
  const db = openDatabase(join(temporaryPath, EMBEDDED_LOG_FILE))
  try {
    db.exec(CREATE)
  } finally {
    db.close()
  }
  chmodSync(join(temporaryPath, EMBEDDED_LOG_FILE), OWNER_ONLY_FILE)
  syncDirectory(temporaryPath)
  try {
    renameSync(temporaryPath, path)
    syncDirectory(dirname(path))
  } catch (error) {
    // Another writer was faster.
    if (!existsSync(join(path, EMBEDDED_LOG_FILE))) throw error
    rmSync(temporaryPath, { recursive: true, force: true })
  }
}

/** Connections to damaged files, until the process ends: closing one would move its journal into the file. */
const keptOpen = new Set<Database>()

const openFile = async (options: EmbeddedLogOptions): Promise<Database> => {
  const { path, readOnly = false } = options
  const file = join(path, EMBEDDED_LOG_FILE)
  if (!existsSync(file)) {
    if (readOnly) {
      throw new AppError('LOG_UNAVAILABLE', `there is no event log at ${path} yet`, {
        retryable: true,
      })
    }
    if (existsSync(path) && readdirSync(path).length > 0) throw damaged(file, 'the file is missing')
    createLog(options)
  }
  const db = openDatabase(file)
  try {
    await whenUnlocked(file, () => {
      db.exec(SETTINGS)
      checkFormat(db, file)
      if (!readOnly) checkRecords(db, file)
      // What an interrupted commit has left is flushed before it is read.
      db.exec('PRAGMA wal_checkpoint(PASSIVE)')
      if (readOnly) db.exec('PRAGMA query_only = ON')
    })
    return db
  } catch (error) {
    if (hasCode(error, 'LOG_DAMAGED')) keptOpen.add(db)
    else db.close()
    throw error
  }
}

const prepareInsert = (db: Database) => {
  const insert = db.prepare('INSERT INTO log VALUES (?, ?, ?)')
  return (from: bigint, entries: readonly LogEntry[]): void => {
    for (const [at, entry] of entries.entries()) {
      const offset = from + BigInt(at)
      insert.run(Number(offset), entry.height, encodeRecord(offset, entry))
    }
  }
}

/** Moves what is in the -wal file into the file, if no other process reads it and the disk takes it. Nothing is lost else. */
const flushQuietly = (db: Database): void => {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The next process that opens the log does it.
  }
}

/** Commits all of the entries or none. Returns the offset after the last one. */
const createCommit = (db: Database, file: string, { reads, isShared, start }: CommitOptions) => {
  const insert = prepareInsert(db)
  /** The offset of the next record of this writer; another number in the file means another writer. */
  let tail = start
  const step = (entries: readonly LogEntry[]): bigint => {
    const end = reads.end()
    if (end !== tail && !isShared) {
      throw new AppError('LOG_FENCED', `another writer has appended to ${file}`)
    }
    insert(end, entries)
    return end + BigInt(entries.length)
  }
  return (entries: readonly LogEntry[]): bigint => {
    if (entries.length === 0) return tail
    db.exec('BEGIN IMMEDIATE')
    try {
      const after = step(entries)
      db.exec('COMMIT')
      tail = after
      return after
    } catch (error) {
      // Some errors have already ended the transaction.
      if (db.inTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}

type CommitOptions = { reads: Reads; isShared: boolean; start: bigint }

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
export async function openEmbeddedLog(options: EmbeddedLogOptions): Promise<EventLog> {
  const { path, readOnly = false, shared = false } = options
  const file = join(path, EMBEDDED_LOG_FILE)
  const db = await openFile(options)
  const reads = prepareReads(db)
  const start = await whenUnlocked(file, reads.end)
  const commit = createCommit(db, file, { reads, isShared: shared, start })
  const wakers = createWakers()
  const closed = new AbortController()
  let closing: Promise<void> | undefined
  /** Appends run one after the other, also while they wait for a lock. */
  let appending: Promise<unknown> = Promise.resolve()

  const use = async <Result>(step: () => Result): Promise<Result> => {
    if (closed.signal.aborted) throw closedError()
    return await whenUnlocked(file, step, { signal: closed.signal })
  }

  const append: EventLog['append'] = async (entries) => {
    if (closed.signal.aborted) throw closedError()
    if (readOnly) throw new AppError('LOG_FENCED', `${file} is open for reading only`)
    refuseLargeEntries(entries)
    const options = { action: 'append to', signal: closed.signal } as const
    const result = appending.then(() => whenUnlocked(file, () => commit(entries), options))
    appending = result.catch(() => undefined)
    try {
      return await result
    } finally {
      wakers.wakeAll()
    }
  }

  const waitFor: EventLog['waitFor'] = async (from, { timeoutMs, signal }) => {
    const untilMs = performance.now() + timeoutMs
    while (!closed.signal.aborted && !signal.aborted && (await use(reads.end)) <= from) {
      const leftMs = untilMs - performance.now()
      if (leftMs <= 0) return
      await wakers.pause(readOnly || shared ? Math.min(POLL_MS, leftMs) : leftMs, signal)
    }
  }

  const close = async (): Promise<void> => {
    closed.abort(closedError())
    wakers.wakeAll()
    await appending
    // The connection lives as long as its statements do, until they are collected: what is in the -wal file is moved now.
    if (!readOnly) flushQuietly(db)
    db.close()
  }

  return {
    append,
    waitFor,
    read: (from, limits) => use(() => readFrom(reads, file, from, limits)),
    last: () =>
      use(() => {
        const end = reads.end()
        const limits = { maxRecords: 1, maxBytes: READ_ALL }
        return end === 0n ? undefined : readFrom(reads, file, end - 1n, limits)[0]
      }),
    end: () => use(reads.end),
    offsetOfHeight: (height) =>
      use(() => {
        const [row] = reads.fromHeight(height)
        if (!row) return reads.end()
        const found = decodeRow(file, row)
        if (found.height < height) throw damaged(file, `height ${height} is garbled`)
        return found.offset
      }),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
