// The chain that `rollcall start <chain>` follows: its entry in the public chain registry, and endpoints of it that have no problem in
// the diagnosis of `rollcall doctor --endpoint`. Both are kept in the data directory, and a start checks them again.
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
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

/** The entry of a chain in the copy of the public chain registry. */
const ChainEntry = Type.Object({
  name: Text,
  chainId: Text,
  /** Its display unit, explorer and wallets. */
  settings: Type.Record(Type.String(), Type.String()),
  rpc: Type.Array(Type.Object({ address: Text, provider: Type.Optional(Text) })),
})
type ChainEntry = Static<typeof ChainEntry>
type Offer = ChainEntry['rpc'][number]
type FollowedChain = { chain: ChainEntry; rpc: Offer[]; archive?: Offer | undefined }

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

const readEntry = async (path: string): Promise<ChainEntry> => {
  const entry: unknown = await readFile(path, 'utf8')
    .then(JSON.parse)
    .catch(() => undefined)
  if (Value.Check(ChainEntry, entry)) return entry
  throw new AppError('CONFIG_INVALID', `there is no entry of a chain at ${path}`, { expose: true })
}

const findChain = async (name: string): Promise<ChainEntry> => {
  if (name.endsWith('.json')) return await readEntry(name)
  const [first = '', ...lines] = (await readFile(locateFile(SNAPSHOT), 'utf8')).trim().split('\n')
  const entries = lines.map((line) => JSON.parse(line) as ChainEntry)
  const wanted = name.toLowerCase()
  const found = entries.find(({ name: each, chainId }) => each === wanted || chainId === name)
  if (found) return found
  const { registry } = JSON.parse(first) as { registry: string }
  const names = entries.map(({ name: each }) => each)
  const similar = findSimilar(wanted, names).join(', ')
  const meant = similar === '' ? '' : ` Is it one of ${similar}?`
  throw new AppError(
    'CONFIG_INVALID',
    `"${name}" is not in the chain registry (copy of version ${registry}).${meant} For another chain, set CHAIN_RPC_URLS`,
    { expose: true },
  )
}

/** Without the endpoints. The settings of the operator have priority. */
const chainSettings = ({ chainId, settings }: ChainEntry, env: Environment): Environment => {
  const found = Object.entries({ ...settings, CHAIN_ID: chainId })
  return { ...env, ...Object.fromEntries(found.filter(([name]) => !env[name]?.trim())) }
}

const allSettings = ({ chain, rpc, archive }: FollowedChain, env: Environment): Environment => ({
  ...chainSettings(chain, env),
  CHAIN_RPC_URLS: rpc.map(({ address }) => address).join(','),
  ARCHIVE_RPC_URLS: env['ARCHIVE_RPC_URLS']?.trim() || archive?.address,
})

const isAddress = ({ address }: Offer): boolean => isHttpUrl(address) && !/[\s,]/.test(address)

/** Undefined also for a file that is not readable: it is chosen again. */
const readFollowed = (file: string): FollowedChain | undefined => {
  try {
    const followed = JSON.parse(readFileSync(file, 'utf8')) as FollowedChain
    return followed.rpc.every(isAddress) && followed.chain.chainId ? followed : undefined
  } catch {
    return undefined
  }
}

/** For commands beside `rollcall start`: with the chain that the data directory follows, if the settings name none. */
export function withFollowedChain(env: Environment): Environment {
  if (!isDemo(env)) return env
  const followed = readFollowed(resolveDataPaths(readDataDir(env)).chainFile)
  return followed ? allSettings(followed, env) : env
}

/** A slower endpoint is not usable. */
const DIAGNOSIS_MS = 45_000

type Facts = NonNullable<Diagnosis['facts']>
type Checked = { offer: Offer; host: string; diagnosis: Diagnosis; tookMs: number }
type Usable = Checked & { facts: Facts }

/** Two hosts of one operator may have the same fault. */
const operatorOf = ({ provider, address }: Offer): string =>
  provider ?? new URL(address).host.split('.').slice(-2).join('.')

/** The refusals are in the log. */
const isFit = (
  { host, diagnosis: { findings } }: Checked,
  { logger }: FollowOptions,
  refuses: (finding: Diagnosis['findings'][number]) => boolean,
): boolean => {
  const reason = findings.find(refuses)?.message
  if (reason !== undefined) logger.info({ endpoint: host, reason }, 'did not choose an endpoint')
  return reason === undefined
}

const check = async (
  offer: Offer,
  chainId: string,
  { indexed, signal, clock = systemClock }: FollowOptions,
  searches: boolean,
): Promise<Checked> => {
  // Large, and not needed with endpoints of the operator.
  const { diagnoseEndpoint } = await import('../doctor/endpoint.ts')
  const { address } = offer
  const { host } = new URL(address)
  const startedMs = performance.now()
  const expected = { chainId, indexed }
  const diagnosis = await withDeadline(DIAGNOSIS_MS, signal, (own) =>
    diagnoseEndpoint({ address, expected, searches, signal: own, clock }),
  ).catch((error: unknown): Diagnosis => {
    if (signal.aborted || !(error instanceof AppError)) throw error
    return { findings: [{ level: 'problem', message: `${host}: ${error.message}` }] }
  })
  return { offer, host, diagnosis, tookMs: performance.now() - startedMs }
}

const countOperators = (group: readonly Usable[]): number =>
  new Set(group.map(({ offer }) => operatorOf(offer))).size

/** Those that have one block in common. Throws `RPC_DISAGREEMENT` if no block has a majority. */
const findMajority = async (
  usable: readonly Usable[],
  chainId: string,
  { logger, signal }: FollowOptions,
): Promise<readonly Usable[]> => {
  const { readBlockHash } = await import('../doctor/endpoint.ts')
  const tips = usable.map(({ facts }) => facts.tip).toSorted((one, other) => one - other)
  // A false tip of a minority does not decide the height; the last blocks may not have reached every node.
  const height = Math.max(1, (tips[Math.floor((tips.length - 1) / 2)] ?? 1) - 3)
  const hashes = await Promise.all(
    usable.map(({ offer: { address } }) => readBlockHash({ address, signal }, height)),
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
  const reason = `has another block at height ${height} than most endpoints`
  for (const { host: endpoint } of others.flatMap(({ group }) => group)) {
    logger.info({ endpoint, reason }, 'did not choose an endpoint')
  }
  return most.group
}

const countWarnings = ({ diagnosis: { findings } }: Checked): number =>
  findings.filter(({ level }) => level === 'warning').length

const earliestState = ({ facts: { earliestState: state } }: Usable): number =>
  'value' in state ? state.value : Number.POSITIVE_INFINITY

/** Two of different operators, the most complete and then the fastest first, and one with older states if there is one. */
const pickEndpoints = (usable: readonly Usable[]): Omit<FollowedChain, 'chain'> => {
  const best = usable.toSorted(
    (one, other) => countWarnings(one) - countWarnings(other) || one.tookMs - other.tookMs,
  )
  const [first] = best
  const second = best.find(
    ({ offer, host }) =>
      first && operatorOf(offer) !== operatorOf(first.offer) && host !== first.host,
  )
  const rpc = [first, second].filter((each) => each !== undefined)
  const [deepest] = best.toSorted((one, other) => earliestState(one) - earliestState(other))
  const isOlder = deepest && rpc.every((each) => earliestState(deepest) < earliestState(each))
  return { rpc: rpc.map(({ offer }) => offer), archive: isOlder ? deepest.offer : undefined }
}

const describeOffer = (each: Offer): string => `${new URL(each.address).host} (${operatorOf(each)})`

const describeEndpoints = ({ rpc, archive }: Omit<FollowedChain, 'chain'>): string => {
  const alone = rpc.length === 1 ? ', the only operator: its facts cannot be compared' : ''
  const old = archive ? `; old states from ${describeOffer(archive)}` : ''
  return `Endpoints: ${rpc.map(describeOffer).join(' and ')}${alone}${old}`
}

/** Diagnoses all endpoints of the entry, prints the choice, and keeps it. Undefined if none is usable. */
const choose = async (
  chain: ChainEntry,
  options: FollowOptions,
): Promise<FollowedChain | undefined> => {
  const { terminal } = options
  const { name, chainId } = chain
  const offers = chain.rpc.filter(isAddress)
  if (terminal.rewrites) terminal.progress(`diagnosing ${offers.length} endpoints of ${chainId}`)
  const checked = await Promise.all(offers.map((offer) => check(offer, chainId, options, true)))
  terminal.clearProgress()
  const usable = checked.flatMap((each) => {
    const { facts } = each.diagnosis
    return isFit(each, options, ({ level }) => level === 'problem') && facts
      ? [{ ...each, facts }]
      : []
  })
  const agreeing = await findMajority(usable, chainId, options)
  if (agreeing.length === 0) return undefined
  const picked = pickEndpoints(agreeing)
  terminal.print(
    `${name} is ${chainId}: ${agreeing.length} of ${offers.length} endpoints of the chain registry are usable`,
  )
  terminal.print(describeEndpoints(picked))
  terminal.print(`Kept in ${options.chainFile}; with CHAIN_RPC_URLS you choose endpoints yourself`)
  const followed = { chain, ...picked }
  writeFileAtomically(options.chainFile, `${JSON.stringify(followed, null, 2)}\n`)
  return followed
}

/** Whether each still has what the log needs next: the diagnosis without its searches. */
const areUsable = async (
  { chain, rpc, archive }: FollowedChain,
  options: FollowOptions,
): Promise<boolean> => {
  const offers = archive ? [...rpc, archive] : rpc
  const checked = await Promise.all(
    offers.map((offer) => check(offer, chain.chainId, options, false)),
  )
  return checked.every((each) =>
    isFit(
      each,
      options,
      ({ level, area }) => level === 'problem' || (level === 'warning' && area === 'address'),
    ),
  )
}

/** The settings with those of the chain; undefined if no chain is named. Throws `RPC_UNAVAILABLE` if no endpoint is usable. */
export async function followChain(options: FollowOptions): Promise<Environment | undefined> {
  const { env, name, indexed, terminal } = options
  const kept = isDemo(env) ? readFollowed(options.chainFile) : undefined
  const chain = name === undefined ? kept?.chain : await findChain(name)
  if (!chain) return undefined
  const { chainId } = chain
  if (indexed && indexed.chainId !== chainId) {
    const message = `the data directory has ${indexed.chainId}, not ${chainId}: set DATA_DIR to another directory`
    throw new AppError('CHAIN_MISMATCH', message, { expose: true })
  }
  if (!isDemo(env)) return chainSettings(chain, env)
  const former = kept?.chain.chainId === chainId ? { ...kept, chain } : undefined
  if (former && (await areUsable(former, options))) {
    terminal.print(`${describeEndpoints(former)}, as before`)
    return allSettings(former, env)
  }
  const chosen = await choose(chain, options)
  if (chosen) return allSettings(chosen, env)
  if (former) {
    terminal.print('No endpoint answers now; those of the last start are asked until they do')
    return allSettings(former, env)
  }
  const message = `no endpoint of ${chainId} in the chain registry is usable from here; LOG_LEVEL=info says why. Set CHAIN_RPC_URLS`
  throw new AppError('RPC_UNAVAILABLE', message, { expose: true })
}
