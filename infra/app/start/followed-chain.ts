// The chain that `rollcall start <chain>` follows: its entry in the public chain registry, and endpoints of it that have no problem in
// the diagnosis of `rollcall doctor --endpoint`. Both are kept in the data directory, and a start checks the endpoints again.
import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../../base/runtime/clock.ts'
import { type Environment, isHttpUrl } from '../../base/runtime/config.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { writeFileAtomically } from '../../base/runtime/files.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { locateFile } from '../../base/runtime/product-files.ts'
import { resolveDataPaths } from '../data-dir.ts'
import type { Diagnosis } from '../doctor/endpoint.ts'
import type { IndexedBlock } from '../indexed-block.ts'
import { isDemo, readDataDir } from '../machine-settings.ts'
import { isNear } from '../settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

const Text = Type.String({ minLength: 1 })
const Settings = Type.Record(Type.String(), Type.String())
const Offer = Type.Object({ address: Text, provider: Type.Optional(Text) })
type Offer = Static<typeof Offer>

/** The entry of a chain in the copy of the public chain registry. The data directory keeps it with the chosen endpoints. */
const ChainEntry = Type.Object({
  name: Text,
  chainId: Text,
  /** Its display unit, explorer and wallets. */
  settings: Settings,
  rpc: Type.Array(Offer),
  /** The endpoints, as settings: those to follow, and one with older states if there is one. */
  chosen: Type.Optional(Settings),
})
type ChainEntry = Static<typeof ChainEntry>

export type FollowOptions = {
  env: Environment
  /** The name or ID of a chain, or the path of a file with its entry. Absent: the chain of the last start. */
  name: string | undefined
  chainFile: string
  /** The last block in the log. */
  indexed: IndexedBlock | undefined
  terminal: Terminal
  logger: Logger
  signal: AbortSignal
  clock?: Clock
}

const SNAPSHOT = 'infra/app/start/assets/chains.ndjson'
const MAX_NAMED = 8

/** Undefined also for a file that is not readable: its endpoints are chosen again. */
const readEntry = (path: string): ChainEntry | undefined => {
  try {
    const entry: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return Value.Check(ChainEntry, entry) ? entry : undefined
  } catch {
    return undefined
  }
}

const unknownChain = (message: string): AppError =>
  new AppError('CONFIG_INVALID', message, { expose: true })

/** Some entries of the registry have an address twice. */
const withoutRepeats = (chain: ChainEntry): ChainEntry => ({
  ...chain,
  rpc: [...new Map(chain.rpc.map((offer) => [offer.address, offer])).values()],
})

const findChain = (name: string): ChainEntry => {
  const entry = name.endsWith('.json') && readEntry(name)
  if (entry) return entry
  if (name.endsWith('.json')) throw unknownChain(`there is no entry of a chain at ${name}`)
  const [first = '', ...lines] = readFileSync(locateFile(SNAPSHOT), 'utf8').trim().split('\n')
  const entries = lines.map((line) => JSON.parse(line) as ChainEntry)
  const wanted = name.toLowerCase()
  const found = entries.find(({ name: each, chainId }) => each === wanted || chainId === name)
  if (found) return found
  const { registry } = JSON.parse(first) as { registry: string }
  const similar = entries
    .map(({ name: each }) => each)
    .filter((each) => each.includes(wanted) || isNear(wanted, each, 2))
    .toSorted((one, other) => one.length - other.length)
  const meant = similar.length > 0 ? ` Is it one of ${similar.slice(0, MAX_NAMED).join(', ')}?` : ''
  throw unknownChain(
    `"${name}" is not in the chain registry (copy of version ${registry}).${meant} For another chain, set CHAIN_RPC_URLS`,
  )
}

/** With the chosen endpoints, if the operator has set none. The settings of the operator have priority. */
const toSettings = ({ chainId, settings, chosen }: ChainEntry, env: Environment): Environment => {
  const all = { ...settings, CHAIN_ID: chainId, ...(isDemo(env) ? chosen : {}) }
  const found = Object.entries(all).filter(([name]) => !env[name]?.trim())
  return { ...env, ...Object.fromEntries(found) }
}

/** For commands beside `rollcall start`: with the chain that the data directory follows, if the settings name none. */
export function withFollowedChain(env: Environment): Environment {
  if (!isDemo(env)) return env
  const kept = readEntry(resolveDataPaths(readDataDir(env)).chainFile)
  return kept?.chosen ? toSettings(kept, env) : env
}

/** A slower endpoint is not usable. */
const LIMIT_MS = 45_000

type Usable = { offer: Offer; facts: NonNullable<Diagnosis['facts']>; warnings: number }

const isAddress = ({ address }: Offer): boolean => isHttpUrl(address) && !/[\s,]/.test(address)

const hostOf = ({ address }: Offer): string => new URL(address).host

/** Two hosts of one operator may have the same fault. */
const operatorOf = (offer: Offer): string =>
  offer.provider ?? hostOf(offer).split('.').slice(-2).join('.')

const refuse = (offer: Offer, reason: string | undefined, { logger }: FollowOptions): void =>
  logger.info({ endpoint: hostOf(offer), reason }, 'did not choose an endpoint')

/**
 * Those without a problem, the fastest first. With `searches` also the earliest heights are found; without, each must have what the
 * log needs next. The reasons of the others are in the log.
 */
const findUsable = async (
  { chainId, rpc }: Pick<ChainEntry, 'chainId' | 'rpc'>,
  searches: boolean,
  options: FollowOptions,
): Promise<Usable[]> => {
  // Large, and not needed with endpoints of the operator.
  const { diagnoseEndpoint } = await import('../doctor/endpoint.ts')
  const expected = { chainId, indexed: options.indexed }
  const usable: Usable[] = []
  const diagnose = async (offer: Offer): Promise<void> => {
    const asked = { ...options, ...offer, expected, searches, limitMs: LIMIT_MS }
    const { findings, facts } = await diagnoseEndpoint(asked)
    const warned = findings.filter(({ level }) => level === 'warning')
    const fault =
      findings.find(({ level }) => level === 'problem') ??
      warned.find(({ area }) => !searches && area === 'address')
    if (facts && !fault) usable.push({ offer, facts, warnings: warned.length })
    else refuse(offer, fault?.message, options)
  }
  await Promise.all(rpc.filter(isAddress).map(diagnose))
  return usable
}

/** The last blocks may not have reached every node. */
const SPREAD = 3

/** Those that have one block in common. Throws `RPC_DISAGREEMENT` if no block has a majority. */
const findMajority = async (
  usable: readonly Usable[],
  chainId: string,
  options: FollowOptions,
): Promise<readonly Usable[]> => {
  const { readBlockHash } = await import('../doctor/endpoint.ts')
  const tips = usable.map(({ facts }) => facts.tip).toSorted((one, other) => one - other)
  // A false tip of a minority does not decide the height.
  const height = Math.max(1, (tips[Math.floor((tips.length - 1) / 2)] ?? 1) - SPREAD)
  const hashes = await Promise.all(
    usable.map(({ offer }) => readBlockHash({ ...options, ...offer, limitMs: LIMIT_MS }, height)),
  )
  const groups = [...new Set(hashes)].flatMap((hash) => {
    const group = usable.filter((_, at) => hashes[at] === hash)
    const operators = new Set(group.map(({ offer }) => operatorOf(offer))).size
    return hash === undefined ? [] : [{ group, operators }]
  })
  const [most, next] = groups.toSorted((one, other) => other.operators - one.operators)
  if (next && next.operators === most?.operators) {
    const hosts = groups.map(({ group }) => group.map(({ offer }) => hostOf(offer)).join(', '))
    const message = `the endpoints of ${chainId} have different blocks at height ${height}: ${hosts.join(' against ')}. Choose among them with CHAIN_RPC_URLS`
    throw new AppError('RPC_DISAGREEMENT', message, { expose: true })
  }
  const agreeing = most?.group ?? []
  for (const each of usable.filter((other) => !agreeing.includes(other))) {
    refuse(each.offer, `does not have the block of most endpoints at height ${height}`, options)
  }
  return agreeing
}

const earliestState = ({ facts: { earliestState: state } }: Usable): number =>
  'value' in state ? state.value : Number.POSITIVE_INFINITY

/** Two of different operators, the most complete and then the fastest first, and one with older states if there is one. */
const pickEndpoints = (usable: readonly Usable[]): Record<string, string> => {
  const best = usable.toSorted((one, other) => one.warnings - other.warnings)
  const isOther = (offer: Offer, than = offer): boolean =>
    operatorOf(offer) !== operatorOf(than) && hostOf(offer) !== hostOf(than)
  const second = best.find(({ offer }) => isOther(offer, best[0]?.offer))
  const picked = [...best.slice(0, 1), ...(second ? [second] : [])]
  const [deepest] = best.toSorted((one, other) => earliestState(one) - earliestState(other))
  const isOlder = deepest && picked.every((each) => earliestState(deepest) < earliestState(each))
  return {
    CHAIN_RPC_URLS: picked.map(({ offer }) => offer.address).join(','),
    ...(isOlder ? { ARCHIVE_RPC_URLS: deepest.offer.address } : {}),
  }
}

const chosenFor = (setting: string, { rpc, chosen }: ChainEntry): string[] =>
  rpc
    .filter(({ address }) => chosen?.[setting]?.split(',').includes(address))
    .map((offer) => `${hostOf(offer)} (${operatorOf(offer)})`)

const describeEndpoints = (chain: ChainEntry): string => {
  const followed = chosenFor('CHAIN_RPC_URLS', chain)
  const alone = followed.length === 1 ? ', the only operator: its facts cannot be compared' : ''
  const old = chosenFor('ARCHIVE_RPC_URLS', chain).map((each) => `; old states from ${each}`)
  return `Endpoints: ${followed.join(' and ')}${alone}${old}`
}

/** Diagnoses all endpoints of the entry, prints the choice, and keeps it. Undefined if none is usable. */
const choose = async (chain: ChainEntry, options: FollowOptions) => {
  const { terminal, chainFile } = options
  const { name, chainId, rpc } = chain
  terminal.progress(`diagnosing ${rpc.length} endpoints of ${chainId}`)
  const usable = await findUsable(chain, true, options)
  terminal.progress('')
  const agreeing = await findMajority(usable, chainId, options)
  if (agreeing.length === 0) return undefined
  const chosen = { ...chain, chosen: pickEndpoints(agreeing) }
  terminal.print(
    `${name} is ${chainId}: ${agreeing.length} of ${rpc.length} endpoints of the chain registry are usable`,
  )
  terminal.print(describeEndpoints(chosen))
  terminal.print(`Kept in ${chainFile}; with CHAIN_RPC_URLS you choose endpoints yourself`)
  writeFileAtomically(chainFile, `${JSON.stringify(chosen, null, 2)}\n`)
  return chosen
}

/** Whether each endpoint of the last start is usable. */
const isUsable = async ({ chosen = {}, ...chain }: ChainEntry, options: FollowOptions) => {
  const urls = Object.values(chosen).flatMap((each) => each.split(','))
  const rpc = chain.rpc.filter(({ address }) => urls.includes(address))
  return (await findUsable({ ...chain, rpc }, false, options)).length === urls.length
}

/** The settings with those of the chain; undefined if no chain is named. Throws `RPC_UNAVAILABLE` if no endpoint is usable. */
export async function followChain(options: FollowOptions): Promise<Environment | undefined> {
  const { env, name, indexed, terminal } = options
  const kept = isDemo(env) ? readEntry(options.chainFile) : undefined
  const found = name === undefined ? kept : findChain(name)
  if (!found) return undefined
  const chain = withoutRepeats(found)
  const { chainId } = chain
  if (indexed && indexed.chainId !== chainId) {
    const message = `the data directory has ${indexed.chainId}, not ${chainId}: set DATA_DIR to another directory`
    throw new AppError('CHAIN_MISMATCH', message, { expose: true })
  }
  if (!isDemo(env)) return toSettings(chain, env)
  const former = kept?.chosen?.['CHAIN_RPC_URLS'] && kept.chainId === chainId ? kept : undefined
  if (former && (await isUsable(former, options))) {
    terminal.print(`${describeEndpoints(former)}, as before`)
    return toSettings({ ...former, settings: chain.settings }, env)
  }
  const chosen = await choose(chain, options)
  if (chosen) return toSettings(chosen, env)
  if (!former) {
    const message = `no endpoint of ${chainId} in the chain registry is usable from here; LOG_LEVEL=info says why. Set CHAIN_RPC_URLS`
    throw new AppError('RPC_UNAVAILABLE', message, { expose: true })
  }
  terminal.print('No endpoint answers now; those of the last start are asked until they do')
  return toSettings(former, env)
}
