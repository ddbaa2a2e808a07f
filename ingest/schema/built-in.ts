// The types of the SDK, IBC and CosmWasm, for chains that do not show their own: before SDK 0.47, or with reflection switched off.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { type ChainSchema, readSchema } from './chain-schema.ts'

/** Written by `npm run record:schema`. Beside this file, in the sources and in the build. */
const FILES = fileURLToPath(new URL('./standard-files.binpb.br', import.meta.url))

let schema: ChainSchema | undefined

/** Read at the first call. */
export const builtInSchema = (): ChainSchema => {
  schema ??= readSchema(brotliDecompressSync(readFileSync(FILES)))
  return schema
}
