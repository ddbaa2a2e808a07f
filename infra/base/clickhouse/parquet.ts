// Reads a stream of `FORMAT Parquet` to its end. The store truncates a stream that fails, so its last bytes tell whether it is whole.
import type { Readable } from 'node:stream'
import { AppError } from '../runtime/errors.ts'

/** A Parquet file begins and ends with these bytes: an incomplete file does not. */
const MAGIC = Buffer.from('PAR1')

/** Resolves to the number of bytes. */
export async function readParquet(
  stream: Readable,
  write: (chunk: Buffer) => Promise<unknown>,
): Promise<number> {
  let bytes = 0
  let end: Buffer = Buffer.alloc(0)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    end = Buffer.concat([end, chunk.subarray(-MAGIC.length)]).subarray(-MAGIC.length)
    await write(chunk)
  }
  if (!end.equals(MAGIC)) {
    throw new AppError('STORE_UNAVAILABLE', `the store stopped after ${bytes} bytes`, {
      retryable: true,
    })
  }
  return bytes
}
