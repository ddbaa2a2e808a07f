// Starts and stops a devnet: a real chain node that signs alone for many bonded pools.
import { execFile, type SpawnOptions } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { toBase64 } from '@cosmjs/encoding'
import { startListening } from '../support/process/listening-program.ts'
import { until } from '../support/process/rollcall-process.ts'
import { createAccounts, createConsensusKey } from './accounts.ts'
import { build, NODE_ENVIRONMENT as env } from './build-node.ts'
import { type ChainSpec, createGenesis, type DevnetAccounts } from './genesis.ts'
import { findFreePorts } from './ports.ts'
import { createRawRpc } from './rpc.ts'

const BLOCKS_TIMEOUT_MS = 60_000

export type Devnet = {
  rpcUrl: string
  spec: ChainSpec
  accounts: DevnetAccounts
  stop(): Promise<void>
}

const PEOPLE = [
  'faucet',
  'council',
  'treasurer',
  'core-team',
  'security',
  'community',
  'stranger',
  'depositor',
  'delegate',
  'sub-delegate',
] as const
export type Person = (typeof PEOPLE)[number]

async function createDevnetAccounts(spec: ChainSpec): Promise<DevnetAccounts> {
  const create = (names: readonly string[]) => createAccounts(names, spec.addressPrefix)
  return {
    operators: await create(spec.pools.map((_, index) => `operator ${index}`)),
    whales: await create(spec.whales.map(({ name }) => name)),
    people: await create(PEOPLE),
  }
}

const CONFIG = {
  pprof_laddr: '""',
  timeout_commit: '"350ms"',
  // In one of ten rounds the proposer is a pool that never answers: do not wait long for it.
  timeout_propose: '"120ms"',
  timeout_propose_delta: '"40ms"',
  timeout_prevote: '"60ms"',
  timeout_precommit: '"60ms"',
  size: '20000',
}

async function configure(home: string): Promise<void> {
  const path = `${home}/config/config.toml`
  let config = await readFile(path, 'utf8')
  for (const [name, value] of Object.entries(CONFIG)) {
    const pattern = new RegExp(`^${name} = .*$`, 'm')
    if (!pattern.test(config)) throw new Error(`the node's config has no line "${name} ="`)
    config = config.replace(pattern, `${name} = ${value}`)
  }
  await writeFile(path, config)
}

async function writeSigner(home: string): Promise<void> {
  const key = createConsensusKey('0')
  const file = {
    address: Buffer.from(key.address).toString('hex').toUpperCase(),
    pub_key: { type: 'tendermint/PubKeyEd25519', value: toBase64(key.publicKey) },
    priv_key: { type: 'tendermint/PrivKeyEd25519', value: toBase64(key.privateKey) },
  }
  await writeFile(`${home}/config/priv_validator_key.json`, JSON.stringify(file))
}

async function startNode(path: string, home: string, { startArgs = [] }: ChainSpec) {
  const [rpc, p2p] = await findFreePorts(2)
  const rpcUrl = `http://127.0.0.1:${rpc}`
  const addresses = [`--rpc.laddr=tcp://127.0.0.1:${rpc}`, `--p2p.laddr=tcp://127.0.0.1:${p2p}`]
  const settings = ['--grpc.enable=false', '--pruning=nothing', '--minimum-gas-prices=0uroll']
  const args = ['start', '--home', home, '--log_level', 'error', ...addresses, ...settings]
  const logPath = `${home}.log`
  const log = openSync(logPath, 'a')
  try {
    const options: SpawnOptions = { env, stdio: ['ignore', log, log] }
    const { stop } = await startListening(
      path,
      [...args, ...startArgs],
      `${rpcUrl}/status`,
      options,
    )
    return { rpcUrl, stop }
  } catch (cause) {
    const end = (await readFile(logPath, 'utf8')).slice(-3_000)
    throw new Error(`the chain node does not answer: ${end}`, { cause })
  } finally {
    closeSync(log)
  }
}

/** The node stops, and its data is deleted, with `stop`. */
export async function startDevnet(spec: ChainSpec): Promise<Devnet> {
  const path = await build(spec.program)
  const dir = await mkdtemp(`${tmpdir()}/rollcall-devnet-`)
  const home = `${dir}/node`
  await promisify(execFile)(path, ['init', 'demo', '--chain-id', spec.chainId, '--home', home], {
    env,
  })
  await configure(home)
  await writeSigner(home)
  const accounts = await createDevnetAccounts(spec)
  const genesisPath = `${home}/config/genesis.json`
  const genesis = createGenesis(await readFile(genesisPath, 'utf8'), spec, accounts)
  await writeFile(genesisPath, genesis)
  const node = await startNode(path, home, spec)
  const stop = async () => {
    await node.stop()
    await rm(dir, { recursive: true, force: true })
  }
  const rpc = createRawRpc(node.rpcUrl)
  try {
    await until('a second block', BLOCKS_TIMEOUT_MS, async () => {
      const { sync_info: info } = await rpc.call('status')
      return Number(info.latest_block_height) >= 2 || undefined
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { rpcUrl: node.rpcUrl, spec, accounts, stop }
}
