// The entry of a chain in the public chain registry: from the copy in this version, or from a `chain.json` of the operator.
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { parseDisplayUnit } from '../../../api/display-unit.ts'
import { type Environment, isHttpUrl } from '../../base/runtime/config.ts'
import { AppError, isSystemError } from '../../base/runtime/errors.ts'
import { locateFile } from '../../base/runtime/product-files.ts'
import { request } from '../tools/rollcall-client.ts'
import { isNear } from '../unused-variables.ts'

const Text = Type.String({ minLength: 1 })

/** `assetlist.json`, as far as it is used. */
const assetFile = Type.Object({
  assets: Type.Array(
    Type.Object({
      base: Text,
      display: Text,
      symbol: Text,
      denom_units: Type.Array(Type.Object({ denom: Text, exponent: Type.Integer() })),
    }),
  ),
})

/** `chain.json`, as far as it is used. */
const chainFile = Type.Object({
  chain_name: Text,
  chain_id: Text,
  bech32_prefix: Type.Optional(Text),
  key_algos: Type.Optional(Type.Array(Text)),
  staking: Type.Optional(Type.Object({ staking_tokens: Type.Array(Type.Object({ denom: Text })) })),
  apis: Type.Object({
    rpc: Type.Array(Type.Object({ address: Text, provider: Type.Optional(Text) })),
  }),
  explorers: Type.Optional(Type.Array(Type.Object({ tx_page: Type.Optional(Text) }))),
})

export type ChainEntry = Static<typeof chainFile> & Static<typeof assetFile>

const refuse = (message: string): AppError =>
  new AppError('CONFIG_INVALID', message, { expose: true })

const SNAPSHOT = 'infra/app/start/assets/chains.ndjson'

const MAX_NAMED = 8

/** Names with a part of the name, then those with at most two other letters. */
const findNear = (name: string, names: readonly string[]): string[] => {
  const part = names.filter((each) => each.includes(name) || name.includes(each))
  const near = names.filter((each) => isNear(name, each, 2))
  return [...new Set([...part.toSorted((a, b) => a.length - b.length), ...near])].slice(
    0,
    MAX_NAMED,
  )
}

const findBundled = async (name: string): Promise<ChainEntry> => {
  const [first = '', ...lines] = (await readFile(locateFile(SNAPSHOT), 'utf8')).trim().split('\n')
  const entries = lines.map((line) => JSON.parse(line) as ChainEntry)
  const wanted = name.toLowerCase()
  const found = entries.find(({ chain_name: each, chain_id: id }) => each === wanted || id === name)
  if (found) return found
  const { registry } = JSON.parse(first) as { registry: string }
  const near = findNear(
    wanted,
    entries.map(({ chain_name: each }) => each),
  )
  const meant = near.length > 0 ? ` Is it one of ${near.join(', ')}?` : ''
  throw refuse(
    `"${name}" is not in the chain registry (copy of version ${registry}).${meant} For another chain, give the path or URL of its chain.json, or set CHAIN_RPC_URLS`,
  )
}

const MAX_BYTES = 8 * 2 ** 20
const TIMEOUT_MS = 15_000

/** Undefined if there is no such file. */
const readJson = async (location: string, signal: AbortSignal): Promise<unknown> => {
  if (isHttpUrl(location)) {
    const options = { signal, timeoutMs: TIMEOUT_MS, maxBodyBytes: MAX_BYTES }
    const { status, text } = await request(new URL(location), options)
    if (status === 200) return JSON.parse(text)
    if (status === 404) return undefined
    throw new AppError('RPC_UNAVAILABLE', `HTTP status ${status} at ${location}`, { expose: true })
  }
  try {
    return JSON.parse(await readFile(location, 'utf8'))
  } catch (error) {
    if (isSystemError(error)) return undefined
    throw error
  }
}

const besides = (location: string, name: string): string =>
  isHttpUrl(location) ? new URL(name, location).href : join(dirname(location), name)

const readEntry = async (location: string, signal: AbortSignal): Promise<ChainEntry> => {
  const wrong = refuse(`there is no chain.json in the format of the chain registry at ${location}`)
  try {
    const chain = await readJson(location, signal)
    if (!Value.Check(chainFile, chain)) throw wrong
    const list = await readJson(besides(location, 'assetlist.json'), signal)
    return { ...chain, assets: Value.Check(assetFile, list) ? list.assets : [] }
  } catch (error) {
    throw error instanceof SyntaxError ? wrong : error
  }
}

/** By the name or ID of a chain, or by the path or URL of its `chain.json`. Throws `CONFIG_INVALID` with similar names. */
export function findChain(name: string, signal: AbortSignal): Promise<ChainEntry> {
  return /[/\\]|\.json$/.test(name) ? readEntry(name, signal) : findBundled(name)
}

const readUnit = ({ staking, assets }: ChainEntry): string | undefined => {
  const denom = staking?.staking_tokens[0]?.denom
  const asset = assets.find(({ base }) => base === denom)
  const unit = asset?.denom_units.find(({ denom: each }) => each === asset.display)
  return asset && unit ? `${asset.symbol}=${asset.base}/${unit.exponent}` : undefined
}

const readExplorer = ({ explorers = [] }: ChainEntry): string | undefined => {
  const pages = explorers.map(({ tx_page: page = '' }) => page.replaceAll(/\$\{(\w+)\}/g, '{$1}'))
  return pages.find((page) => isHttpUrl(page) && /^[^{}]*\{txHash\}[^{}]*$/.test(page))
}

const CURVES: Readonly<Record<string, string>> = {
  secp256k1: 'secp256k1',
  ethsecp256k1: 'eth-secp256k1',
}

const readWallets = (entry: ChainEntry): string | undefined => {
  const { chain_id: id, bech32_prefix: prefix, key_algos: keys = ['secp256k1'] } = entry
  const curve = keys.map((key) => CURVES[key]).find(Boolean)
  return prefix && curve ? `${id}:${prefix}:${curve}` : undefined
}

/** The settings of the chain, without its endpoints. Those of the operator have priority. */
export function chainSettingsOf(entry: ChainEntry, env: Environment): Environment {
  const unit = readUnit(entry)
  const found: Environment = {
    CHAIN_ID: entry.chain_id,
    DISPLAY_UNIT: unit && parseDisplayUnit(unit) ? unit : undefined,
    EXPLORER_TX_URL: readExplorer(entry),
    WALLET_CHAINS: readWallets(entry),
  }
  const isMissing = ([name]: [string, unknown]) => (env[name] ?? '').trim() === ''
  return Object.fromEntries(Object.entries(found).filter(isMissing))
}
