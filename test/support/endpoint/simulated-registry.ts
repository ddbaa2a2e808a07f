// A chain with public endpoints of every kind, and its entry.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMemoryChain, showChain } from '../chain/memory-chain.ts'
import type { HttpServer } from '../http/server.ts'
import { startGateway } from '../simulator/nodes/gateway.ts'
import {
  createResponder,
  type NodeOptions,
  type RunningNode,
  startNode,
} from '../simulator/nodes/node.ts'
import { proposalAt } from '../simulator/state/chain-state.ts'

export const CHAIN_ID = 'cosmoshub-4'
const HEIGHTS = 400

const createHub = (chainId: string, voting: readonly string[]) => {
  const chain = createMemoryChain({ chainId, proves: true })
  chain.add({}, ({ proposals }) => {
    for (const id of voting) proposals.set(id, proposalAt(id, 1, 2))
  })
  while (chain.tip < HEIGHTS) chain.add()
  return chain
}

const hub = createHub(CHAIN_ID, ['848', '849'])
/** Of the same chain ID. */
const forged = createHub(CHAIN_ID, ['848'])
const other = createHub('osmosis-1', ['1'])

type Kind =
  | 'archive'
  | 'pruned'
  | 'slow'
  | 'limited'
  | 'discards'
  | 'other chain'
  | 'lying'
  | 'no headers'
  | 'dead'

const WINDOWS: Partial<Record<Kind, NodeOptions['window']>> = {
  pruned: { states: 100 },
  slow: { states: 300 },
  discards: { results: 0 },
}
const CHAINS: Partial<Record<Kind, typeof hub>> = { lying: forged, 'other chain': other }

const NO_METHOD = { error: { code: -32601, message: 'Method not found' } }

/** Without `/blockchain`, as some gateways are. */
const withoutHeaders: NodeOptions['body'] = ({ method }, honest) => {
  if (method !== 'blockchain') return [honest]
  const { jsonrpc, id } = JSON.parse(honest)
  return [JSON.stringify({ jsonrpc, id, ...NO_METHOD })]
}

const startKind = async (kind: Kind): Promise<RunningNode | HttpServer> => {
  const chain = CHAINS[kind] ?? hub
  const options: NodeOptions = {
    chain: showChain(chain),
    ...(kind === 'slow' ? { delayMs: () => 30 } : {}),
    ...(kind === 'no headers' ? { body: withoutHeaders } : {}),
    ...(WINDOWS[kind] ? { window: WINDOWS[kind] } : {}),
  }
  if (kind !== 'limited') return await startNode(options)
  const refuses = () => ({ status: 429 as const, retryAfterSeconds: 1 })
  return await startGateway([createResponder(options)], { refuses })
}

/** `kinds`: of each operator the kind of its endpoint. `file`: the path of the entry. */
export const startRegistry = async (folder: string, kinds: Readonly<Record<string, Kind>>) => {
  const started = Object.entries(kinds).map(async ([operator, kind]) => {
    const { url, close } = await startKind(kind)
    if (kind === 'dead') await close()
    let isClosed = kind === 'dead'
    const closeOnce = async () => {
      if (!isClosed) await close()
      isClosed = true
    }
    return [operator, { url, host: new URL(url).host, close: closeOnce }] as const
  })
  const endpoints = new Map(await Promise.all(started))
  const rpc = [...endpoints].map(([operator, { url }]) => ({
    address: url,
    provider: operator.replace(/ \d+$/, ''),
  }))
  const file = join(folder, 'cosmoshub.json')
  const settings = {
    DISPLAY_UNIT: 'ATOM=uatom/6',
    EXPLORER_TX_URL: 'https://explorer.example/tx/{txHash}',
    WALLET_CHAINS: 'cosmoshub-4:cosmos:secp256k1',
  }
  writeFileSync(file, JSON.stringify({ name: 'cosmoshub', chainId: CHAIN_ID, settings, rpc }))
  const close = async () => {
    await Promise.all([...endpoints.values()].map((each) => each.close()))
  }
  return { file, endpoints, close }
}
