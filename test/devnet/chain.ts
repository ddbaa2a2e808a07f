// Starts and stops a devnet: a real chain node that signs alone for many bonded pools.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { toBase64 } from '@cosmjs/encoding'
import { type Account, type ConsensusKey, createAccounts, createConsensusKey } from './accounts.ts'
import type { NodeBinary } from './build-node.ts'
import type { ChainSpec } from './chain-spec.ts'
import { DEFAULT_PERIODS, devnetGenesis, type Periods } from './genesis.ts'
import { SCENARIO_CHAIN } from './pools.ts'
import { findFreePorts } from './ports.ts'
import { createRawRpc } from './rpc.ts'

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 10_000
const BLOCK_MS = 350

/** `operators[0]` owns the pool that signs; `people` are funded and have nothing staked. */
type DevnetAccounts = { operators: Account[]; whales: Account[]; people: Account[] }

export type Devnet = {
  rpcUrl: string
  restUrl: string
  spec: ChainSpec
  accounts: DevnetAccounts
  stop(): Promise<void>
}

export type DevnetOptions = {
  dir: string
  binary: NodeBinary
  /** The chain of the scenario by default. */
  spec?: ChainSpec
  periods?: Periods
  /** Further arguments of the node's `start`. */
  startArgs?: readonly string[]
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

async function createDevnetAccounts(spec: ChainSpec): Promise<DevnetAccounts> {
  const create = (names: readonly string[]) => createAccounts(names, spec.addressPrefix)
  return {
    operators: await create(spec.pools.map((_, index) => `operator ${index}`)),
    whales: await create(spec.whales.map(({ name }) => name)),
    people: await create(PEOPLE),
  }
}

function edit(text: string, replacements: Record<string, string>): string {
  let edited = text
  for (const [line, value] of Object.entries(replacements)) {
    const pattern = new RegExp(`^${line} = .*$`, 'm')
    if (!pattern.test(edited)) throw new Error(`the node's config has no line "${line} ="`)
    edited = edited.replace(pattern, `${line} = ${value}`)
  }
  return edited
}

type Ports = { rpc: number; p2p: number; rest: number; grpc: number; proxy: number }

type Node = { home: string; ports: Ports; key: ConsensusKey }

async function configure({ home: dir, ports }: Node): Promise<void> {
  const config = `${dir}/config/config.toml`
  let comet = await readFile(config, 'utf8')
  comet = comet.replace('tcp://127.0.0.1:26657', `tcp://127.0.0.1:${ports.rpc}`)
  comet = comet.replace('tcp://0.0.0.0:26656', `tcp://127.0.0.1:${ports.p2p}`)
  comet = edit(comet, {
    proxy_app: `"tcp://127.0.0.1:${ports.proxy}"`,
    pprof_laddr: '""',
    timeout_commit: `"${BLOCK_MS}ms"`,
    // In one of ten rounds the proposer is a pool that never answers: do not wait long for it.
    timeout_propose: '"120ms"',
    timeout_propose_delta: '"40ms"',
    timeout_prevote: '"60ms"',
    timeout_precommit: '"60ms"',
    size: '20000',
  })
  await writeFile(config, comet)
  const path = `${dir}/config/app.toml`
  let app = await readFile(path, 'utf8')
  app = app.replace('tcp://localhost:1317', `tcp://127.0.0.1:${ports.rest}`)
  app = app.replace('localhost:9090', `127.0.0.1:${ports.grpc}`)
  app = app.replace(/(\[api\][\s\S]*?)enable = false/, '$1enable = true')
  app = edit(app, { pruning: '"nothing"', 'minimum-gas-prices': '"0uroll"' })
  await writeFile(path, app)
}

async function writeSigner({ home, key }: Node): Promise<void> {
  const file = {
    address: Buffer.from(key.address).toString('hex').toUpperCase(),
    pub_key: { type: 'tendermint/PubKeyEd25519', value: toBase64(key.publicKey) },
    priv_key: { type: 'tendermint/PrivKeyEd25519', value: toBase64(key.privateKey) },
  }
  await writeFile(`${home}/config/priv_validator_key.json`, JSON.stringify(file))
}

function runToEnd(binary: NodeBinary, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary.path, args, {
      env: { ...process.env, LD_LIBRARY_PATH: binary.libraryDir },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (bytes: Buffer) => {
      said = (said + bytes.toString()).slice(-2_000)
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`${binary.path} ${args[0]} ended with ${code}: ${said}`)),
    )
  })
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(timer)
}

async function waitForBlocks(child: ChildProcess, rpcUrl: string, logPath: string): Promise<void> {
  const rpc = createRawRpc(rpcUrl)
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) {
      const log = await readFile(logPath, 'utf8').catch(() => '')
      throw new Error(`the chain node ended with ${child.exitCode}: ${log.slice(-3_000)}`)
    }
    const status = await rpc.call('status').catch(() => undefined)
    if (Number(status?.sync_info.latest_block_height ?? 0) >= 2) return
    await sleep(100)
  }
  throw new Error(`the chain node made no block in ${START_TIMEOUT_MS} ms, see ${logPath}`)
}

async function createNode({ binary, dir }: DevnetOptions, spec: ChainSpec): Promise<Node> {
  const home = `${dir}/node`
  await runToEnd(binary, ['init', 'demo', '--chain-id', spec.chainId, '--home', home])
  const [rpc = 0, p2p = 0, rest = 0, grpc = 0, proxy = 0] = await findFreePorts(5)
  const node = { home, ports: { rpc, p2p, rest, grpc, proxy }, key: createConsensusKey('0') }
  await configure(node)
  await writeSigner(node)
  return node
}

function startNode(options: DevnetOptions, { home }: Node): ChildProcess {
  const { binary, startArgs = [] } = options
  const log = openSync(`${home}.log`, 'a')
  const child = spawn(
    binary.path,
    ['start', '--home', home, '--log_level', 'error', ...startArgs],
    {
      env: { ...process.env, LD_LIBRARY_PATH: binary.libraryDir },
      stdio: ['ignore', log, log],
    },
  )
  closeSync(log)
  return child
}

/** `dir` must not hold a chain yet; it keeps the data and the log of the node. */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const { dir, spec = SCENARIO_CHAIN, periods = DEFAULT_PERIODS } = options
  await mkdir(dir, { recursive: true })
  const node = await createNode(options, spec)
  const accounts = await createDevnetAccounts(spec)
  const genesisPath = `${node.home}/config/genesis.json`
  const genesis = devnetGenesis(await readFile(genesisPath, 'utf8'), {
    spec,
    people: { operators: accounts.operators, whales: accounts.whales, others: accounts.people },
    periods,
    time: new Date().toISOString(),
  })
  await writeFile(genesisPath, genesis)
  const child = startNode(options, node)
  // A killed test runner must not leave a running chain.
  const killOnExit = () => void child.kill('SIGKILL')
  process.once('exit', killOnExit)
  const stop = async () => {
    process.off('exit', killOnExit)
    await stopProcess(child)
  }
  const rpcUrl = `http://127.0.0.1:${node.ports.rpc}`
  try {
    await waitForBlocks(child, rpcUrl, `${node.home}.log`)
  } catch (error) {
    await stop()
    throw error
  }
  return { rpcUrl, restUrl: `http://127.0.0.1:${node.ports.rest}`, spec, accounts, stop }
}
