// Writes a large file in parts under a temporary name, and renames it only once it is complete and on disk.
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type ByteSink, createByteSink } from '../../../base/runtime/byte-sink.ts'
import { handledLater, waitUntilSettled } from '../../../base/runtime/promises.ts'

export type LargeFile = ByteSink & {
  /** Flushes the file to disk and renames it; an existing file of that name is replaced. */
  commit(): Promise<void>
  /** Removes the temporary file. */
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

/** Compressed if the name ends with `.gz`. */
export const createLargeFile = async (path: string, signal: AbortSignal): Promise<LargeFile> => {
  const temporaryPath = `${path}.${process.pid}.partial`
  // Opened first, so that a missing folder is reported at once.
  await (await open(temporaryPath, 'w')).close()
  const file = createWriteStream(temporaryPath)
  const done = handledLater(finished(file))
  let head: Writable = file
  if (isGzipName(path)) {
    const gzip = createGzip()
    gzip.pipe(file)
    // A full disk must wake the writer that waits for the stream to drain.
    file.on('error', (error) => gzip.destroy(error))
    head = gzip
  }
  const abandon = async (): Promise<void> => {
    head.destroy()
    file.destroy()
    await waitUntilSettled(done)
    await rm(temporaryPath, { force: true })
  }
  return {
    ...createByteSink(head, signal),
    commit: async () => {
      try {
        head.end()
        await done
        await flush(temporaryPath)
        await rename(temporaryPath, path)
      } catch (error) {
        await abandon()
        throw error
      }
    },
    abandon,
  }
}
