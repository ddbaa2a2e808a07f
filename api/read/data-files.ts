// The files of /data: written on demand, at most once a minute, and kept by this instance on its disk, within a limit. Any instance writes
// the same bytes. The files have no names on the disk: they are gone when nobody reads them, also after a crash.
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { readParquet } from '../../infra/base/clickhouse/parquet.ts'
import { handledLater } from '../../infra/base/runtime/abort.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { type AsOf, createAsOf } from '../schemas/common.ts'
import { ApiProblem } from './problems.ts'
import {
  buildDataFile,
  countDataRows,
  DATA_FILE_SETTINGS,
  DATA_TABLES,
  type FilePart,
  listSettled,
  readParts,
  requireUnchanged,
  type SourceTable,
} from './queries/data-files.ts'
import { formatTime } from './queries/values.ts'
import { InconsistentRead, readConsistent } from './query.ts'
import type { Snapshot } from './snapshot.ts'
import type { SnapshotSource } from './snapshots.ts'
import type { AroundRead } from './store.ts'

export type DiskFile = {
  handle: FileHandle
  bytes: number
  /** In hex. */
  sha256: string
  /** A dropped file must not be read any more, except by those that read it already. */
  isDropped: boolean
  readers: number
}

export type DiskFiles = {
  /** `fill` appends the bytes, and may reject. */
  write(fill: (append: (chunk: Buffer) => Promise<void>) => Promise<unknown>): Promise<DiskFile>
  /** The file stays readable until `use` has ended. */
  use<Result>(file: DiskFile, use: () => Promise<Result>): Promise<Result>
  drop(file: DiskFile): Promise<void>
  dropAll(): Promise<void>
}

export function diskFull(): ApiProblem {
  return new ApiProblem('overloaded', 'The disk for files is full. Try again in a minute.')
}

/** Creates a file that has no name. */
const openUnnamed = async (directory: string): Promise<FileHandle> => {
  const path = join(directory, `rollcall-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  await unlink(path)
  return handle
}

export function createDiskFiles(directory: string, maxBytes: number): DiskFiles {
  /** In the order of writing. */
  const files = new Set<DiskFile>()
  let usedBytes = 0

  const freeUnread = async (file: DiskFile): Promise<void> => {
    if (!file.isDropped || file.readers > 0) return
    usedBytes -= file.bytes
    await file.handle.close()
  }
  const drop = async (file: DiskFile): Promise<void> => {
    if (file.isDropped) return
    file.isDropped = true
    files.delete(file)
    await freeUnread(file)
  }
  /** Drops the oldest files that nobody reads. */
  const reserve = async (bytes: number): Promise<void> => {
    for (const file of files) {
      if (usedBytes + bytes <= maxBytes) break
      if (file.readers === 0) await drop(file)
    }
    if (usedBytes + bytes > maxBytes) throw diskFull()
    usedBytes += bytes
  }
  return {
    write: async (fill) => {
      const handle = await openUnnamed(directory)
      const hash = createHash('sha256')
      let bytes = 0
      try {
        await fill(async (chunk) => {
          // No room that others give up would be enough.
          if (bytes + chunk.length > maxBytes) throw diskFull()
          await reserve(chunk.length)
          bytes += chunk.length
          hash.update(chunk)
          await handle.appendFile(chunk)
        })
      } catch (error) {
        usedBytes -= bytes
        await handle.close()
        throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? diskFull() : error
      }
      const file = { handle, bytes, sha256: hash.digest('hex'), isDropped: false, readers: 0 }
      files.add(file)
      return file
    },
    use: async (file, use) => {
      file.readers += 1
      try {
        return await use()
      } finally {
        file.readers -= 1
        await freeUnread(file)
      }
    },
    drop,
    dropAll: async () => {
      for (const file of files) await drop(file)
    },
  }
}

export type DataFileName = {
  /** After `/data/`. */
  path: string
  table: SourceTable
  /** `closed` never changes, `open` has all that is in no closed part, and `whole` has all rows. */
  kind: 'whole' | 'closed' | 'open'
  part?: FilePart
}

export type DataFile = Pick<DiskFile, 'handle' | 'bytes' | 'sha256'> & { asOf: AsOf; rows: number }

export type ListedFile = DataFileName & { file: DataFile | undefined }

type Written = { file: DiskFile; asOf: AsOf; rows: number; version: string; startedMs: number }

export type DataFiles = {
  /** All files that exist now. It writes those that are not current, and waits at most so long for them. */
  list(waitMs: number): Promise<ListedFile[]>
  /** Calls `use` with the current file, which stays readable until `use` has ended. */
  read(
    path: string,
    use: (file: DataFile, name: DataFileName) => Promise<unknown>,
  ): Promise<unknown>
  close(): Promise<void>
}

export type DataFilesOptions = {
  store: Store
  snapshots: Pick<SnapshotSource, 'current' | 'refresh'>
  /** No request waits for a store that hangs. */
  whileAlive: AroundRead
  disk: DiskFiles
  /** A part ends with the proposal that fills it. */
  partRows: number
  clock: Clock
}

/** A file is written at most so often, and is never further behind the tables. */
const MIN_AGE_MS = 60_000
const MAX_WRITE_MS = 10 * 60_000
/** While commits replace rows of the snapshot. */
const READING_PAUSE_MS = 50

const toVersion = ({ kind, table, path }: DataFileName, snapshot: Snapshot): string =>
  kind === 'closed' ? path : table.version(snapshot)

const toAsOf = ({ chainId, height, timeMs }: Snapshot): AsOf =>
  createAsOf(chainId, height, formatTime(timeMs))

const nameWhole = (table: SourceTable): DataFileName => ({
  path: `${table.name}.parquet`,
  table,
  kind: 'whole',
})

const nameParts = (
  table: SourceTable,
  closed: readonly string[][],
  { generation }: Snapshot,
): DataFileName[] => {
  const name = (kind: 'open' | 'closed', number: number, part: FilePart): DataFileName => ({
    path: `${table.name}/${kind}-${generation}-${String(number).padStart(4, '0')}.parquet`,
    table,
    kind,
    part,
  })
  if (closed.length === 0) return []
  return [
    ...closed.map((only, at) => name('closed', at + 1, { only })),
    // Its number is that of the closed parts: it has another name once one more is complete, so no row is lost between them.
    name('open', closed.length, { except: closed.flat() }),
  ]
}

/** A file that cannot be written now is listed without its numbers. */
const toNothing = (error: unknown): undefined => {
  if (!(error instanceof ApiProblem)) throw error
}

const notFound = (path: string) =>
  new ApiProblem(
    'data-file-not-found',
    `There is no file ${path.slice(0, 100)} now. /api/data lists all files.`,
  )

const createSnapshots = ({ snapshots, clock }: DataFilesOptions) => {
  const current = (): Snapshot => {
    const snapshot = snapshots.current()
    if (snapshot) return snapshot
    throw new ApiProblem('nothing-projected', 'The first heights are being indexed.')
  }
  /** Repeats what finds rows of two states, under a newer snapshot. */
  const read = async <Result>(use: (snapshot: Snapshot) => Promise<Result>): Promise<Result> => {
    const again = { clock, pauseMs: READING_PAUSE_MS }
    const found = await readConsistent(async (isAgain) => {
      if (isAgain) await snapshots.refresh()
      return use(current())
    }, again)
    if (!(found instanceof InconsistentRead)) return found
    throw new ApiProblem('settling', 'A new height is being written. Try again in a moment.')
  }
  return { current, read }
}
type Snapshots = ReturnType<typeof createSnapshots>

/** The names of the files of a table. */
const createNames = ({ store, partRows }: DataFilesOptions, snapshots: Snapshots) => {
  const parts = new Map<string, { key: string; found: Promise<string[][]> }>()

  /** Parts follow from the settled proposals, so rows are counted again only when another one is settled. */
  const findParts = (table: SourceTable, snapshot: Snapshot): Promise<string[][]> => {
    const settled = listSettled(snapshot)
    const key = `${snapshot.generation} ${settled.length}`
    const known = parts.get(table.name)
    if (known?.key === key) return known.found
    const found = handledLater(readParts({ store, snapshot }, table, { settled, partRows }))
    parts.set(table.name, { key, found })
    found.catch(() => parts.delete(table.name))
    return found
  }
  const list = (table: SourceTable): Promise<DataFileName[]> =>
    snapshots.read(async (snapshot) => {
      const closed = table.isParted ? await findParts(table, snapshot) : []
      return [nameWhole(table), ...nameParts(table, closed, snapshot)]
    })
  const find = async (path: string): Promise<DataFileName> => {
    const table = DATA_TABLES.find(({ name }) => name === path.split(/[./]/, 1)[0])
    if (!table) throw notFound(path)
    if (path === nameWhole(table).path) return nameWhole(table)
    const found = (await list(table)).find((name) => name.path === path)
    if (!found) throw notFound(path)
    return found
  }
  return { list, find }
}

const createWriter = ({ store, disk, clock }: DataFilesOptions, closing: AbortSignal) => {
  return async (name: DataFileName, snapshot: Snapshot): Promise<Written> => {
    const { table, part } = name
    const signal = AbortSignal.any([closing, AbortSignal.timeout(MAX_WRITE_MS)])
    const options = { signal, settings: DATA_FILE_SETTINGS }
    const reads = { store, snapshot }
    const startedMs = clock.now()
    let rows = 0
    const file = await disk.write(async (append) => {
      const sql = buildDataFile(table, snapshot, part)
      await readParquet(await store.stream(sql, {}, options), append)
      rows = await countDataRows(reads, table, part)
      await requireUnchanged(reads, table, part)
    })
    const version = toVersion(name, snapshot)
    return { file, asOf: toAsOf(snapshot), rows, version, startedMs }
  }
}

/** The copies of this instance, each written when it is asked for and no longer current. */
const createCopies = (
  options: DataFilesOptions,
  snapshots: Snapshots,
  write: ReturnType<typeof createWriter>,
) => {
  const { disk, whileAlive, clock } = options
  const written = new Map<string, Written>()
  /** Files that the disk has no room for, and since when. */
  const refused = new Map<string, number>()
  const writing = new Map<string, Promise<Written>>()
  /** One file at a time, so that pages are served as before. */
  const turns = pLimit(1)

  const replace = async (name: DataFileName): Promise<Written> => {
    const before = written.get(name.path)
    const after = await turns(() => snapshots.read((snapshot) => write(name, snapshot))).catch(
      (error: unknown) => {
        if (error instanceof ApiProblem && error.code === 'overloaded') {
          refused.set(name.path, clock.now())
        }
        throw error
      },
    )
    refused.delete(name.path)
    written.set(name.path, after)
    if (before) await disk.drop(before.file)
    return after
  }
  const isCurrent = ({ version, file }: Written, name: DataFileName): boolean =>
    !file.isDropped && version === toVersion(name, snapshots.current())

  const find = async (name: DataFileName): Promise<Written> => {
    const known = written.get(name.path)
    if (known && isCurrent(known, name)) return known
    if (known && clock.now() - known.startedMs < MIN_AGE_MS) {
      if (known.file.isDropped) throw diskFull()
      return known
    }
    if (clock.now() - (refused.get(name.path) ?? Number.NEGATIVE_INFINITY) < MIN_AGE_MS) {
      throw diskFull()
    }
    const started = writing.get(name.path) ?? replace(name).finally(() => writing.delete(name.path))
    writing.set(name.path, handledLater(started))
    return whileAlive(() => started)
  }
  return { written, turns, isCurrent, find }
}

export function createDataFiles(options: DataFilesOptions): DataFiles {
  const { disk, clock } = options
  const closing = new AbortController()
  const snapshots = createSnapshots(options)
  const names = createNames(options, snapshots)
  const write = createWriter(options, closing.signal)
  const { written, turns, isCurrent, find } = createCopies(options, snapshots, write)
  /** What has not changed since is also as of the served height. */
  const toDataFile = (found: Written, name: DataFileName): DataFile => {
    const { file, asOf, rows } = found
    const isAlsoNow = name.kind !== 'closed' && isCurrent(found, name)
    return { ...file, rows, asOf: isAlsoNow ? toAsOf(snapshots.current()) : asOf }
  }
  /** Where a table has parts, the file of all its rows is only written for its readers. */
  const describe = async (
    name: DataFileName,
    isOnlyFile: boolean,
    waitMs: number,
  ): Promise<DataFile | undefined> => {
    const isForReaders = name.kind === 'whole' && !isOnlyFile
    const kept = written.get(name.path)
    // A closed part is the same when it is written again, which its next reader asks for.
    if (kept && name.kind === 'closed') return toDataFile(kept, name)
    const tooLong = clock.sleep(waitMs).then(() => undefined)
    const found = isForReaders ? kept : await Promise.race([find(name).catch(toNothing), tooLong])
    return found && !found.file.isDropped ? toDataFile(found, name) : undefined
  }
  return {
    list: async (waitMs) => {
      const tooLong = clock.sleep(waitMs).then(() => undefined)
      const tables = await Promise.all(
        DATA_TABLES.map(async (table) => {
          const all = await Promise.race([names.list(table), tooLong])
          return { own: all ?? [nameWhole(table)], isOnlyFile: all?.length === 1 }
        }),
      )
      const listed = tables.flatMap(({ own, isOnlyFile }) =>
        own.map(async (name) => ({
          ...name,
          file: await describe(name, isOnlyFile, waitMs),
        })),
      )
      return Promise.all(listed)
    },
    read: async (path, use) => {
      const name = await names.find(path)
      let found = await find(name)
      // Another request may have replaced it meanwhile.
      while (found.file.isDropped) found = await find(name)
      return disk.use(found.file, () => use(toDataFile(found, name), name))
    },
    close: async () => {
      closing.abort()
      turns.clearQueue()
      await disk.dropAll()
    },
  }
}
