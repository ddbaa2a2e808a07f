// Defines an operation whose answer are bytes: they are stored in chunks and sent as a stream.
import type { Query } from '../read/query.ts'
import { defineItem } from './item.ts'
import type { Arguments, ReadDefinition, Resource } from './operation.ts'
import type { ParameterName } from './parameters.ts'

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

export const defineDownload = <Path extends string, Name extends ParameterName, Value>(
  definition: ReadDefinition<Path, Name> & {
    query: (args: Arguments<Path, Name>) => Query<Value, Download>
  },
): Resource<Path, Name, Download> => ({ ...defineItem(definition), kind: 'bytes' })
