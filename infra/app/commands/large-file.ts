// Writes a large file bit by bit under another name, and gives it its own only once it is whole and on disk.
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type ByteSink, createByteSink } from '../../runtime/byte-sink.ts'
import { handledLater, settled } from '../../runtime/promises.ts'

export type LargeFile = ByteSink & {
  /** All of it is on disk, under its own name; what had that name before is replaced. */
  commit(): Promise<void>
  /** Leaves nothing behind. */
  abandon(): Promise<void>
}

const flush = async (path: string): Promise<void> => {
  const handle = await open(path, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export const isGzipName = (path: string): boolean => path.endsWith('.gz')

/** Compressed where the name ends with `.gz`. */
export const createLargeFile = async (path: string, signal: AbortSignal): Promise<LargeFile> => {
  const aside = `${path}.${process.pid}.partial`
  // Opened first, so that a folder that is not there is told at once.
  await (await open(aside, 'w')).close()
  const file = createWriteStream(aside)
  const done = handledLater(finished(file))
  let head: Writable = file
  if (isGzipName(path)) {
    const gzip = createGzip()
    gzip.pipe(file)
    // A disk that is full must wake whoever waits for room in front of it.
    file.on('error', (error) => gzip.destroy(error))
    head = gzip
  }
  const abandon = async (): Promise<void> => {
    head.destroy()
    file.destroy()
    await settled(done)
    await rm(aside, { force: true })
  }
  return {
    ...createByteSink(head, signal),
    commit: async () => {
      try {
        head.end()
        await done
        await flush(aside)
        await rename(aside, path)
      } catch (error) {
        await abandon()
        throw error
      }
    },
    abandon,
  }
}
