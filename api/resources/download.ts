// Bytes that are stored in chunks and sent as a stream.
import type { Query } from '../read/query.ts'

/** They never change. */
export type Download = {
  sha256: string
  size: number
  chunks: number
  chunkQuery: (chunk: number) => Query<Buffer>
  mediaType: string
  /** The name under which a browser saves them; null for bytes that it can show. */
  fileName: string | null
}
