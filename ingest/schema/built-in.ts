// The types of the SDK, IBC and CosmWasm, for chains without reflection: before SDK 0.47, or disabled.
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { locateFile } from '../../infra/base/runtime/product-files.ts'
import { type ChainSchema, readSchema } from './chain-schema.ts'

/** Written by `npm run record:schema`. In the same folder, in the sources and in the build. */
const FILES = locateFile('ingest/schema/standard-files.binpb.br')

let schema: ChainSchema | undefined

/** Loaded at the first call. */
export const builtInSchema = (): ChainSchema => {
  schema ??= readSchema(brotliDecompressSync(readFileSync(FILES)))
  return schema
}
