// Starts and stops a devnet: a real chain node that signs alone for many bonded pools, or a few that sign together.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
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
import { type RemoteSigner, startRemoteSigner } from './remote-signer.ts'
import { createRawRpc } from './rpc.ts'

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 10_000

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
  blockMs?: number
  /** The time of a vote for a height in milliseconds, which must not go back; by default that of this machine. */
  timeAt?: (height: number) => number
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

type SigningNode = { home: string; ports: Ports; key: ConsensusKey }

type NodeSettings = {
  blockMs: number
  /** Where it waits for its signer, if it does not sign itself. */
  signerAddress: string
  /** Addresses of the nodes that it connects to. */
  peers: readonly string[]
}

async function configure({ home: dir, ports }: SigningNode, settings: NodeSettings): Promise<void> {
  const config = `${dir}/config/config.toml`
  let comet = await readFile(config, 'utf8')
  comet = comet.replace('tcp://127.0.0.1:26657', `tcp://127.0.0.1:${ports.rpc}`)
  comet = comet.replace('tcp://0.0.0.0:26656', `tcp://127.0.0.1:${ports.p2p}`)
  comet = edit(comet, {
    proxy_app: `"tcp://127.0.0.1:${ports.proxy}"`,
    pprof_laddr: '""',
    priv_validator_laddr: `"${settings.signerAddress}"`,
    persistent_peers: `"${settings.peers.join(',')}"`,
    // Every node is on this machine.
    addr_book_strict: 'false',
    allow_duplicate_ip: 'true',
    flush_throttle_timeout: '"10ms"',
    peer_gossip_sleep_duration: '"10ms"',
    timeout_commit: `"${settings.blockMs}ms"`,
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

async function writeSigner({ home, key }: SigningNode): Promise<void> {
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

/** As peers name it: its ID is the hash of its key. */
async function readPeerAddress({ home, ports }: SigningNode): Promise<string> {
  const file = JSON.parse(await readFile(`${home}/config/node_key.json`, 'utf8'))
  const publicKey = Buffer.from(file.priv_key.value, 'base64').subarray(32)
  const id = createHash('sha256').update(publicKey).digest('hex').slice(0, 40)
  return `${id}@127.0.0.1:${ports.p2p}`
}

async function createNodes(options: DevnetOptions, spec: ChainSpec): Promise<SigningNode[]> {
  const nodes: SigningNode[] = []
  for (let index = 0; index < (spec.signers ?? 1); index++) {
    const home = `${options.dir}/node${index === 0 ? '' : index}`
    await runToEnd(options.binary, ['init', 'demo', '--chain-id', spec.chainId, '--home', home])
    const [rpc = 0, p2p = 0, rest = 0, grpc = 0, proxy = 0] = await findFreePorts(5)
    const ports = { rpc, p2p, rest, grpc, proxy }
    nodes.push({ home, ports, key: createConsensusKey(String(index)) })
  }
  return nodes
}

const toSignerPath = ({ home }: SigningNode) => `${home}/signer.sock`

async function configureNodes(nodes: SigningNode[], options: DevnetOptions): Promise<void> {
  const { blockMs = 350, timeAt } = options
  const peers: string[] = []
  for (const node of nodes) {
    const signerAddress = timeAt ? `unix://${toSignerPath(node)}` : ''
    await configure(node, { blockMs, signerAddress, peers })
    await writeSigner(node)
    peers.push(await readPeerAddress(node))
  }
}

function startNode(options: DevnetOptions, { home }: SigningNode): ChildProcess {
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

function startSigners(
  nodes: SigningNode[],
  chainId: string,
  timeAt: (height: number) => number,
): RemoteSigner[] {
  return nodes.map((node) =>
    startRemoteSigner({ path: toSignerPath(node), key: node.key, chainId, timeAt }),
  )
}

/** `dir` must not hold a chain yet; it keeps the data and the logs of the nodes. */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const { dir, spec = SCENARIO_CHAIN, timeAt } = options
  await mkdir(dir, { recursive: true })
  const nodes = await createNodes(options, spec)
  const [first] = nodes
  if (!first) throw new Error('no pool signs')
  await configureNodes(nodes, options)
  const accounts = await createDevnetAccounts(spec)
  const genesis = devnetGenesis(await readFile(`${first.home}/config/genesis.json`, 'utf8'), {
    spec,
    people: { operators: accounts.operators, whales: accounts.whales, others: accounts.people },
    periods: options.periods ?? DEFAULT_PERIODS,
    time: new Date(timeAt?.(0) ?? Date.now()).toISOString(),
  })
  for (const { home } of nodes) await writeFile(`${home}/config/genesis.json`, genesis)
  const children = nodes.map((node) => startNode(options, node))
  const signers = timeAt ? startSigners(nodes, spec.chainId, timeAt) : []
  // A killed test runner must not leave a running chain.
  const killOnExit = () => {
    for (const child of children) child.kill('SIGKILL')
  }
  process.once('exit', killOnExit)
  const stop = async () => {
    process.off('exit', killOnExit)
    await Promise.all(children.map(stopProcess))
    for (const signer of signers) signer.close()
  }
  const rpcUrl = `http://127.0.0.1:${first.ports.rpc}`
  try {
    await waitForBlocks(children[0] as ChildProcess, rpcUrl, `${first.home}.log`)
  } catch (error) {
    await stop()
    throw error
  }
  return { rpcUrl, restUrl: `http://127.0.0.1:${first.ports.rest}`, spec, accounts, stop }
}
