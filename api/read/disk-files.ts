// Files of this instance on its disk, within a limit. They have no names: they are gone when nobody reads them, also after a crash.
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiProblem } from '../problem.ts'

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
