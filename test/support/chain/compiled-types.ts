// The compiled types of cosmjs-types by type URL: all transactions of the SDK, IBC and CosmWasm.
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export type CompiledType = {
  typeUrl: string
  decode(bytes: Uint8Array): unknown
  toJSON(value: unknown): unknown
}

const TYPES = dirname(fileURLToPath(import.meta.resolve('cosmjs-types/package.json')))

const isType = (value: unknown): value is CompiledType =>
  typeof value === 'object' && value !== null && 'typeUrl' in value && 'toJSON' in value

export const compiledTypes = async (): Promise<Map<string, CompiledType>> => {
  const files = ['cosmos', 'cosmwasm', 'ibc'].flatMap((chain) =>
    readdirSync(`${TYPES}/${chain}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(^|\/)tx\.js$/.test(name))
      .map((name) => `cosmjs-types/${chain}/${name.replace(/\.js$/, '')}`),
  )
  const modules: object[] = await Promise.all(files.map((file) => import(file)))
  const values = modules.flatMap((module): unknown[] => Object.values(module))
  return new Map(values.filter(isType).map((type) => [type.typeUrl, type]))
}
