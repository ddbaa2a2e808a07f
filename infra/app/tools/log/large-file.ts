// Writes a large file in parts under a temporary name, and renames it only once it is complete and on disk.
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { handledLater, waitUntilSettled } from '../../../base/runtime/abort.ts'
import { type ByteSink, createByteSink } from '../../../base/runtime/byte-sink.ts'

export type LargeFile = ByteSink & {
  /** Flushes the file to disk and renames it; an existing file of that name is replaced. */
  commit(): Promise<void>
  /** Removes the temporary file. */
  abandon(): Promise<void>
}

/** Compressed if the name ends with `.gz`. */
export async function createLargeFile(path: string, signal: AbortSignal): Promise<LargeFile> {
  const temporaryPath = `${path}.${process.pid}.partial`
  // Opened first, so that a missing folder is reported at once.
  await (await open(temporaryPath, 'w')).close()
  const head = path.endsWith('.gz') ? createGzip() : new PassThrough()
  const done = handledLater(pipeline(head, createWriteStream(temporaryPath, { flush: true })))
  const abandon = async (): Promise<void> => {
    head.destroy()
    await waitUntilSettled(done)
    await rm(temporaryPath, { force: true })
  }
  return {
    ...createByteSink(head, signal),
    commit: async () => {
      try {
        head.end()
        await done
        await rename(temporaryPath, path)
      } catch (error) {
        await abandon()
        throw error
      }
    },
    abandon,
  }
}
