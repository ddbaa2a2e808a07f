// The chain that `rollcall start <chain>` follows: its entry and its endpoints, kept in the data directory until an endpoint fails.
import { readFileSync } from 'node:fs'
import { type Clock, pause } from '../../base/runtime/clock.ts'
import { type Environment, isHttpUrl } from '../../base/runtime/config.ts'
import { AppError, hasCode } from '../../base/runtime/errors.ts'
import { writeFileAtomically } from '../../base/runtime/files.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { resolveDataPaths } from '../data-dir/data-dir.ts'
import type { IndexedBlock } from '../indexed-block.ts'
import { isDemo, readDataDir } from '../machine-settings.ts'
import { createStage } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type ChainEntry, chainSettingsOf, findChain } from './chain-registry.ts'
import {
  areUsable,
  type ChooseOptions,
  chooseEndpoints,
  type Offer,
  operatorOf,
} from './choose-endpoints.ts'

const isAddress = ({ address }: Offer): boolean => isHttpUrl(address) && !/[\s,]/.test(address)

type FollowedChain = { chain: ChainEntry; rpc: Offer[]; archive?: Offer | undefined }

/** Undefined also for a file that is not readable: it is chosen again. */
const readFollowed = (file: string): FollowedChain | undefined => {
  try {
    const followed = JSON.parse(readFileSync(file, 'utf8')) as FollowedChain
    return followed.rpc.every(isAddress) && followed.chain.chain_id ? followed : undefined
  } catch {
    return undefined
  }
}

const endpointSettings = ({ rpc, archive }: FollowedChain, env: Environment): Environment => ({
  CHAIN_RPC_URLS: rpc.map(({ address }) => address).join(','),
  ARCHIVE_RPC_URLS: env['ARCHIVE_RPC_URLS']?.trim() || archive?.address,
})

const toSettings = (followed: FollowedChain, env: Environment): Environment => ({
  ...env,
  ...chainSettingsOf(followed.chain, env),
  ...endpointSettings(followed, env),
})

/** For commands beside `rollcall start`: with the chain that the data directory follows, if the settings name none. */
export function withFollowedChain(env: Environment): Environment {
  if (!isDemo(env)) return env
  const followed = readFollowed(resolveDataPaths(readDataDir(env)).chainFile)
  return followed ? toSettings(followed, env) : env
}

export type FollowOptions = {
  env: Environment
  /** The name of a chain, or the path or URL of its `chain.json`. Absent: the chain of the last start. */
  name: string | undefined
  chainFile: string
  indexed: IndexedBlock | undefined
  terminal: Terminal
  logger: Logger
  signal: AbortSignal
  clock?: Clock
}

const describeOffer = (each: Offer): string => `${new URL(each.address).host} (${operatorOf(each)})`

const describeEndpoints = ({ rpc, archive }: FollowedChain): string => {
  const alone = rpc.length === 1 ? ', the only operator: its facts cannot be compared' : ''
  const old = archive ? `; old states from ${describeOffer(archive)}` : ''
  return `Endpoints: ${rpc.map(describeOffer).join(' and ')}${alone}${old}`
}

const chooseOptions = (
  { indexed, logger, signal, clock }: FollowOptions,
  { chain_id: chainId }: ChainEntry,
): ChooseOptions => ({
  chainId,
  indexed,
  signal,
  clock,
  onRefused: (endpoint, reason) => logger.info({ endpoint, reason }, 'did not choose an endpoint'),
})

/** Diagnoses all endpoints of the entry, says the choice in three lines, and keeps it. Undefined if none is usable. */
const choose = async (
  options: FollowOptions,
  chain: ChainEntry,
): Promise<FollowedChain | undefined> => {
  const { terminal, chainFile } = options
  const offers = chain.apis.rpc.filter(isAddress)
  const stage = createStage(terminal, 'endpoints')
  const chosen = await chooseEndpoints(offers, {
    ...chooseOptions(options, chain),
    onChecked: (done) => stage.show(done, offers.length),
  })
  stage.end(`${offers.length} diagnosed`)
  if (!chosen) return undefined
  const { usable, ...endpoints } = chosen
  const followed = { chain, ...endpoints }
  terminal.print(
    `${chain.chain_name} is ${chain.chain_id}: ${usable} of ${offers.length} endpoints of the chain registry are usable`,
  )
  terminal.print(describeEndpoints(followed))
  terminal.print(`Kept in ${chainFile}; with CHAIN_RPC_URLS you choose endpoints yourself`)
  writeFileAtomically(chainFile, `${JSON.stringify(followed, null, 2)}\n`)
  return followed
}

const endpointsOf = ({ rpc, archive }: FollowedChain): Offer[] =>
  archive ? [...rpc, archive] : [...rpc]

/** An entry that cannot be fetched now is that of the last start. */
const findAgain = async (
  name: string,
  kept: FollowedChain | undefined,
  { terminal, signal }: FollowOptions,
): Promise<ChainEntry> => {
  try {
    return await findChain(name, signal)
  } catch (error) {
    if (!kept || hasCode(error, 'CONFIG_INVALID') || hasCode(error, 'ABORTED')) throw error
    terminal.print(`${name} cannot be read now: ${kept.chain.chain_id} is followed as before`)
    return kept.chain
  }
}

/** The settings with those of the chain; undefined if no chain is named. Throws `RPC_UNAVAILABLE` if no endpoint is usable. */
export async function followChain(options: FollowOptions): Promise<Environment | undefined> {
  const { env, name, chainFile, indexed, terminal } = options
  const kept = isDemo(env) ? readFollowed(chainFile) : undefined
  if (name === undefined && !kept) return undefined
  const chain = name === undefined ? kept!.chain : await findAgain(name, kept, options)
  if (indexed && indexed.chainId !== chain.chain_id) {
    const message = `the data directory has ${indexed.chainId}, not ${chain.chain_id}: set DATA_DIR to another directory`
    throw new AppError('CHAIN_MISMATCH', message, { expose: true })
  }
  if (!isDemo(env)) return { ...env, ...chainSettingsOf(chain, env) }
  const former = kept?.chain.chain_id === chain.chain_id ? { ...kept, chain } : undefined
  if (former && (await areUsable(endpointsOf(former), chooseOptions(options, chain)))) {
    terminal.print(`${describeEndpoints(former)}, as before`)
    return toSettings(former, env)
  }
  const chosen = await choose(options, chain)
  if (chosen) return toSettings(chosen, env)
  if (former) {
    terminal.print('No endpoint answers now; those of the last start are asked until they do')
    return toSettings(former, env)
  }
  const message = `no endpoint of ${chain.chain_id} in the chain registry is usable from here; LOG_LEVEL=info says why. Set CHAIN_RPC_URLS, or give a newer chain.json`
  throw new AppError('RPC_UNAVAILABLE', message, { expose: true })
}

const CHECK_EVERY_MS = 10 * 60_000
const MISSES = 2

type OnReplaced = (settings: Environment) => Promise<void>

/** The number of failed checks in a row. */
const checkAgain = async (
  options: FollowOptions,
  followed: FollowedChain,
  { misses, onReplaced }: { misses: number; onReplaced: OnReplaced },
): Promise<number> => {
  const { env, signal, logger } = options
  const { chain } = followed
  try {
    const isFit = await areUsable(endpointsOf(followed), chooseOptions(options, chain))
    if (isFit || misses + 1 < MISSES) return isFit ? 0 : misses + 1
    const chosen = await choose(options, chain)
    if (chosen) await onReplaced(endpointSettings(chosen, env))
    return chosen ? 0 : misses
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (!signal.aborted) logger.warn({ reason: error.message }, 'could not replace an endpoint')
    return misses
  }
}

/** While it runs: endpoints of which one fails two checks in a row are chosen again. Resolves once aborted. */
export async function replaceFailed(started: FollowOptions, onReplaced: OnReplaced): Promise<void> {
  // The log has grown since: what the endpoints must have is their latest height.
  const options = { ...started, indexed: undefined }
  const { chainFile, env, signal, clock } = options
  for (let misses = 0; isDemo(env); ) {
    await pause(CHECK_EVERY_MS, signal, clock)
    const followed = signal.aborted ? undefined : readFollowed(chainFile)
    if (!followed) return
    misses = await checkAgain(options, followed, { misses, onReplaced })
  }
}
