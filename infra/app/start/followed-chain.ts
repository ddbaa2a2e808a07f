// The chain that `rollcall start <chain>` follows: its entry in the public chain registry, and endpoints of it that have no problem in
// the diagnosis of `rollcall doctor --endpoint`. Both are kept in the data directory, and a start checks the endpoints again.
import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { type Clock, systemClock } from '../../base/runtime/clock.ts'
import { type Environment, isHttpUrl } from '../../base/runtime/config.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { writeFileAtomically } from '../../base/runtime/files.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { locateFile } from '../../base/runtime/product-files.ts'
import { withDeadline } from '../../base/runtime/retry.ts'
import { resolveDataPaths } from '../data-dir.ts'
import type { Diagnosis } from '../doctor/endpoint.ts'
import type { IndexedBlock } from '../indexed-block.ts'
import { isDemo, readDataDir } from '../machine-settings.ts'
import { isNear } from '../settings.ts'
import type { Terminal } from '../terminal/terminal.ts'

const Text = Type.String({ minLength: 1 })
const Offer = Type.Object({ address: Text, provider: Type.Optional(Text) })
type Offer = Static<typeof Offer>

/** The entry of a chain in the copy of the public chain registry. The data directory keeps it with the chosen endpoints. */
const ChainEntry = Type.Object({
  name: Text,
  chainId: Text,
  /** Its display unit, explorer and wallets. */
  settings: Type.Record(Type.String(), Type.String()),
  rpc: Type.Array(Offer),
  chosen: Type.Optional(
    Type.Object({
      rpc: Type.Array(Offer, { minItems: 1 }),
      /** One with older states than those. */
      archive: Type.Optional(Offer),
    }),
  ),
})
type ChainEntry = Static<typeof ChainEntry>
type Chosen = NonNullable<ChainEntry['chosen']>

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

/** Names with a part of the name, then those with at most two other letters. */
const findSimilar = (name: string, names: readonly string[]): string[] => {
  const part = names.filter((each) => each.includes(name) || name.includes(each))
  const near = names.filter((each) => isNear(name, each, 2))
  const shortFirst = part.toSorted((one, other) => one.length - other.length)
  return [...new Set([...shortFirst, ...near])].slice(0, MAX_NAMED)
}

/** Undefined also for a file that is not readable: its endpoints are chosen again. */
const readEntry = (path: string): ChainEntry | undefined => {
  try {
    const entry: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!Value.Check(ChainEntry, entry)) return undefined
    return (entry.chosen?.rpc ?? []).every(isAddress) ? entry : undefined
  } catch {
    return undefined
  }
}

const unknownChain = (message: string): AppError =>
  new AppError('CONFIG_INVALID', message, { expose: true })

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
  const names = entries.map(({ name: each }) => each)
  const similar = findSimilar(wanted, names).join(', ')
  const meant = similar === '' ? '' : ` Is it one of ${similar}?`
  throw unknownChain(
    `"${name}" is not in the chain registry (copy of version ${registry}).${meant} For another chain, set CHAIN_RPC_URLS`,
  )
}

/** With the chosen endpoints, if the operator has set none. The settings of the operator have priority. */
const toSettings = ({ chainId, settings, chosen }: ChainEntry, env: Environment): Environment => {
  const endpoints = isDemo(env) &&
    chosen && {
      CHAIN_RPC_URLS: chosen.rpc.map(({ address }) => address).join(','),
      ...(chosen.archive && { ARCHIVE_RPC_URLS: chosen.archive.address }),
    }
  const found = Object.entries({ ...settings, CHAIN_ID: chainId, ...endpoints })
  return { ...env, ...Object.fromEntries(found.filter(([name]) => !env[name]?.trim())) }
}

/** For commands beside `rollcall start`: with the chain that the data directory follows, if the settings name none. */
export function withFollowedChain(env: Environment): Environment {
  if (!isDemo(env)) return env
  const kept = readEntry(resolveDataPaths(readDataDir(env)).chainFile)
  return kept?.chosen ? toSettings(kept, env) : env
}

/** A slower endpoint is not usable. */
const DIAGNOSIS_MS = 45_000

type Usable = {
  offer: Offer
  host: string
  facts: NonNullable<Diagnosis['facts']>
  warnings: number
  tookMs: number
}

const isAddress = ({ address }: Offer): boolean => isHttpUrl(address) && !/[\s,]/.test(address)

const refuse = (endpoint: string, reason: string | undefined, { logger }: FollowOptions): void =>
  logger.info({ endpoint, reason }, 'did not choose an endpoint')

/** Two hosts of one operator may have the same fault. */
const operatorOf = ({ provider, address }: Offer): string =>
  provider ?? new URL(address).host.split('.').slice(-2).join('.')

/**
 * Those without a problem. With `searches` also the earliest heights are found; without, each must have what the log needs next.
 * The reasons of the others are in the log.
 */
const findUsable = async (
  offers: readonly Offer[],
  chainId: string,
  options: FollowOptions,
  searches: boolean,
): Promise<Usable[]> => {
  // Large, and not needed with endpoints of the operator.
  const { diagnoseEndpoint } = await import('../doctor/endpoint.ts')
  const { indexed, signal, clock = systemClock } = options
  const diagnose = async (offer: Offer): Promise<Usable[]> => {
    const { address } = offer
    const { host } = new URL(address)
    const startedMs = performance.now()
    const expected = { chainId, indexed }
    const { findings, facts } = await withDeadline(DIAGNOSIS_MS, signal, (own) =>
      diagnoseEndpoint({ address, expected, searches, signal: own, clock }),
    ).catch((error: unknown): Diagnosis => {
      if (signal.aborted || !(error instanceof AppError)) throw error
      return { findings: [{ level: 'problem', message: `${host}: ${error.message}` }] }
    })
    const warned = findings.filter(({ level }) => level === 'warning')
    const refused = [
      ...findings.filter(({ level }) => level === 'problem'),
      ...warned.filter(({ area }) => !searches && area === 'address'),
    ]
    const tookMs = performance.now() - startedMs
    if (refused.length === 0 && facts) {
      return [{ offer, host, facts, warnings: warned.length, tookMs }]
    }
    refuse(host, refused[0]?.message, options)
    return []
  }
  return (await Promise.all(offers.filter(isAddress).map(diagnose))).flat()
}

const countOperators = (group: readonly Usable[]): number =>
  new Set(group.map(({ offer }) => operatorOf(offer))).size

/** Those that have one block in common. Throws `RPC_DISAGREEMENT` if no block has a majority. */
const findMajority = async (
  usable: readonly Usable[],
  chainId: string,
  options: FollowOptions,
): Promise<readonly Usable[]> => {
  const { readBlockHash } = await import('../doctor/endpoint.ts')
  const tips = usable.map(({ facts }) => facts.tip).toSorted((one, other) => one - other)
  // A false tip of a minority does not decide the height; the last blocks may not have reached every node.
  const height = Math.max(1, (tips[Math.floor((tips.length - 1) / 2)] ?? 1) - 3)
  const hashes = await Promise.all(
    usable.map(({ offer: { address } }) =>
      readBlockHash({ address, signal: options.signal }, height),
    ),
  )
  const groups = [...new Set(hashes)].map((hash) => {
    const group = usable.filter((_, at) => hashes[at] === hash)
    return { group, operators: hash === undefined ? 0 : countOperators(group) }
  })
  const [most, ...others] = groups.toSorted((one, other) => other.operators - one.operators)
  if (!most || most.operators === 0) return []
  if (others[0]?.operators === most.operators) {
    const hosts = groups.map(({ group }) => group.map(({ host }) => host).join(', '))
    const message = `the endpoints of ${chainId} have different blocks at height ${height}: ${hosts.join(' against ')}. Choose among them with CHAIN_RPC_URLS`
    throw new AppError('RPC_DISAGREEMENT', message, { expose: true })
  }
  for (const { host } of others.flatMap(({ group }) => group)) {
    refuse(host, `has another block at height ${height} than most endpoints`, options)
  }
  return most.group
}

const earliestState = ({ facts: { earliestState: state } }: Usable): number =>
  'value' in state ? state.value : Number.POSITIVE_INFINITY

/** Two of different operators, the most complete and then the fastest first, and one with older states if there is one. */
const pickEndpoints = (usable: readonly Usable[]): Chosen => {
  const best = usable.toSorted(
    (one, other) => one.warnings - other.warnings || one.tookMs - other.tookMs,
  )
  const [first] = best
  const second = best.find(
    ({ offer, host }) =>
      first && operatorOf(offer) !== operatorOf(first.offer) && host !== first.host,
  )
  const rpc = [first, second].filter((each) => each !== undefined)
  const [deepest] = best.toSorted((one, other) => earliestState(one) - earliestState(other))
  const isOlder = deepest && rpc.every((each) => earliestState(deepest) < earliestState(each))
  return { rpc: rpc.map(({ offer }) => offer), ...(isOlder ? { archive: deepest.offer } : {}) }
}

const describeOffer = (each: Offer): string => `${new URL(each.address).host} (${operatorOf(each)})`

const describeEndpoints = ({ rpc, archive }: Chosen): string => {
  const alone = rpc.length === 1 ? ', the only operator: its facts cannot be compared' : ''
  const old = archive ? `; old states from ${describeOffer(archive)}` : ''
  return `Endpoints: ${rpc.map(describeOffer).join(' and ')}${alone}${old}`
}

/** Diagnoses all endpoints of the entry, prints the choice, and keeps it. Undefined if none is usable. */
const choose = async (chain: ChainEntry, options: FollowOptions): Promise<Chosen | undefined> => {
  const { terminal, chainFile } = options
  const { name, chainId, rpc } = chain
  if (terminal.rewrites) terminal.progress(`diagnosing ${rpc.length} endpoints of ${chainId}`)
  const usable = await findUsable(rpc, chainId, options, true)
  terminal.clearProgress()
  const agreeing = await findMajority(usable, chainId, options)
  if (agreeing.length === 0) return undefined
  const chosen = pickEndpoints(agreeing)
  terminal.print(
    `${name} is ${chainId}: ${agreeing.length} of ${rpc.length} endpoints of the chain registry are usable`,
  )
  terminal.print(describeEndpoints(chosen))
  terminal.print(`Kept in ${chainFile}; with CHAIN_RPC_URLS you choose endpoints yourself`)
  writeFileAtomically(chainFile, `${JSON.stringify({ ...chain, chosen }, null, 2)}\n`)
  return chosen
}

/** The settings with those of the chain; undefined if no chain is named. Throws `RPC_UNAVAILABLE` if no endpoint is usable. */
export async function followChain(options: FollowOptions): Promise<Environment | undefined> {
  const { env, name, indexed, terminal } = options
  const kept = isDemo(env) ? readEntry(options.chainFile) : undefined
  const chain = name === undefined ? kept : findChain(name)
  if (!chain) return undefined
  const { chainId } = chain
  if (indexed && indexed.chainId !== chainId) {
    const message = `the data directory has ${indexed.chainId}, not ${chainId}: set DATA_DIR to another directory`
    throw new AppError('CHAIN_MISMATCH', message, { expose: true })
  }
  if (!isDemo(env)) return toSettings(chain, env)
  const former = kept?.chainId === chainId ? kept.chosen : undefined
  const offers = former?.archive ? [...former.rpc, former.archive] : (former?.rpc ?? [])
  const usable = await findUsable(offers, chainId, options, false)
  const isKept = former && usable.length === offers.length
  const chosen = isKept ? former : ((await choose(chain, options)) ?? former)
  if (chosen) {
    const waiting = 'No endpoint answers now; those of the last start are asked until they do'
    if (chosen === former) {
      terminal.print(isKept ? `${describeEndpoints(former)}, as before` : waiting)
    }
    return toSettings({ ...chain, chosen }, env)
  }
  const message = `no endpoint of ${chainId} in the chain registry is usable from here; LOG_LEVEL=info says why. Set CHAIN_RPC_URLS`
  throw new AppError('RPC_UNAVAILABLE', message, { expose: true })
}
