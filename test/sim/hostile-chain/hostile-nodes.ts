// The nodes of a hostile chain: in memory with occasionally missing state, or over HTTP at two endpoints.
// One endpoint is down, loses state, or answers with invalid times.

import type { AbciAnswer } from '../../../ingest/comet/endpoints/node.ts'
import { type StartIngest, startOn, startOver } from '../../support/chain/ingest-run.ts'
import { type MemoryChain, showChain } from '../../support/chain/memory-chain.ts'
import { RPC_FORMS } from '../../support/simulator/nodes/block-json.ts'
import type { FaultName, NodeRequest } from '../../support/simulator/nodes/faults.ts'
import { type RunningNode, startNode } from '../../support/simulator/nodes/node.ts'
import type { Dice } from '../dice.ts'
import type { HostileChain } from './hostile-chain.ts'

export type HostileNodes = {
  /** Starts one process of ingest. */
  start: StartIngest
  /** Heights with missing state in a response. */
  lostHeights: ReadonlySet<number>
  close(): Promise<void>
}

const LOSSES = ['pruned', 'refused', 'invalid'] as const
const LOST_PERCENT = 3

const createLostAnswer = (kind: (typeof LOSSES)[number], height: number): AbciAnswer => {
  switch (kind) {
    case 'pruned':
      return { kind: 'pruned', log: `failed to load state at height ${height}` }
    case 'refused':
      return { kind: 'refused', code: 111222, codespace: 'undefined', log: 'panic' }
    case 'invalid':
      return { kind: 'value', value: Uint8Array.of(0xff, 0xfe, 0x00, 0x80) }
  }
}

const losing = (dice: Dice, chain: MemoryChain, lost: Set<number>): MemoryChain => ({
  ...chain,
  abciQuery: async (request) => {
    const { path, height } = request
    const key = Buffer.from(request.data).toString('hex')
    if (!dice.happens(LOST_PERCENT, 'lost', path, height, key)) return chain.abciQuery(request)
    lost.add(height)
    return createLostAnswer(dice.pick(LOSSES, 'loss', path, height, key), height)
  },
})

const inMemory = (dice: Dice, { chain, profile }: HostileChain): HostileNodes => {
  const lostHeights = new Set<number>()
  const node = profile.losesState ? losing(dice, chain, lostHeights) : chain
  return {
    start: (log, options) => startOn(node, log, { ...options, isAtTip: true }),
    lostHeights,
    close: async () => {},
  }
}

const ROLES = ['impossible times', 'dead', 'liar', 'forgetful'] as const
const FAULTS_OF: Readonly<Record<(typeof ROLES)[number], readonly FaultName[]>> = {
  'impossible times': ['impossible time'],
  dead: ['drops the socket'],
  liar: ['impossible time', 'skips a height', 'invalid JSON', 'wrong chain id', 'HTTP 500'],
  forgetful: ['pruned heights'],
}
const ONLY_OF_BLOCKS: ReadonlySet<FaultName> = new Set(['impossible time', 'skips a height'])
/** After this many attempts a request is answered correctly. */
const STRIKES_PERCENT = 30

const strikeBy =
  (dice: Dice, role: (typeof ROLES)[number]) =>
  ({ method, height, path }: NodeRequest): FaultName | undefined => {
    if (role === 'dead') return 'drops the socket'
    const step = [role, method, height, path]
    if (!dice.happens(STRIKES_PERCENT, 'strikes', ...step)) return undefined
    const fault = dice.pick(FAULTS_OF[role], 'fault', ...step)
    return ONLY_OF_BLOCKS.has(fault) && method !== 'block' ? undefined : fault
  }

/** Long, because a busy machine must not make the honest endpoint appear down. */
const TIMEOUT_SECONDS = 30

const overRpc = async (dice: Dice, { chain }: HostileChain): Promise<HostileNodes> => {
  const served = showChain(chain)
  const role = dice.pick(ROLES, 'role')
  const form = dice.pick(RPC_FORMS, 'era')
  const honest = await startNode({ chain: served, form })
  const hostile = await startNode({ chain: served, form, strike: strikeBy(dice, role) })
  const nodes: RunningNode[] = [hostile, honest]
  const urls = nodes.map(({ url }) => url)
  return {
    start: (log, { env, config } = {}) =>
      startOver(urls)(log, {
        // Without the chain ID, the first endpoint could define a wrong chain.
        env: { ...env, CHAIN_ID: chain.chainId },
        config: { ...config, rpcTimeoutSeconds: TIMEOUT_SECONDS },
      }),
    lostHeights: new Set(),
    close: async () => {
      for (const node of nodes) await node.close()
    },
  }
}

export const openNodes = async (dice: Dice, hostile: HostileChain): Promise<HostileNodes> =>
  hostile.profile.overRpc ? overRpc(dice, hostile) : inMemory(dice, hostile)
