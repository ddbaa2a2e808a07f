// Writes many bytes to a stream: waits for a slow reader, and handles a reader that closes or fails.
import type { Writable } from 'node:stream'
import { abortedError, onAbort } from './abort.ts'

export type ByteSink = {
  /** Resolves when the stream accepts more; false once the reader has closed it. */
  write(bytes: Uint8Array | string): Promise<boolean>
}

const isGone = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'

/** The caller ends the stream. Writes reject with the error of the stream, or `ABORTED`. */
export const createByteSink = (stream: Writable, signal: AbortSignal): ByteSink => {
  let failure: NodeJS.ErrnoException | undefined
  let wake = (): void => {}
  stream.on('error', (error) => {
    failure ??= error
    wake()
  })
  stream.on('drain', () => wake())
  stream.on('close', () => wake())
  onAbort(signal, () => wake())
  const isOpen = (): boolean => {
    if (failure && !isGone(failure)) throw failure
    return failure === undefined && !stream.destroyed
  }
  return {
    write: async (bytes) => {
      if (!isOpen()) return false
      stream.write(bytes)
      while (stream.writableNeedDrain && isOpen()) {
        if (signal.aborted) throw abortedError(signal)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return isOpen()
    },
  }
}
