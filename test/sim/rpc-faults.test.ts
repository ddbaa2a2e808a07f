// Runs ingest with nodes that answer late, incorrectly or never, over real HTTP and websockets; the log equals the chain.
import { expect, it } from 'vitest'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { ofType, readEvents } from '../support/chain/ingest-run.ts'
import { type MemoryChain, showChain } from '../support/chain/memory-chain.ts'
import { createMemoryLogStorage, openMemoryLog } from '../support/log/memory-log.ts'
import type { FaultName, NodeRequest } from '../support/simulator/nodes/faults.ts'
import { startNode } from '../support/simulator/nodes/node.ts'
import type { Dice } from './dice.ts'
import { expectChainFacts, undisturbedLog } from './exact-log.ts'
import { ingestUntil, PROOF, withoutProofs } from './lives.ts'
import { seededChain } from './seeded-chain.ts'
import { forEachSeed, isWhole } from './seeds.ts'

const HEIGHTS = 40
/** Blocks at the start; the others follow during the run. */
const FIRST_TIP = 25
const BLOCK_MS = 15
const STRIKES_PERCENT = 12
/** After this many attempts a request is answered correctly, so that every run ends. */
const MOST_STRIKES = 4
const SLOWEST_MS = 25
/** Deadlines of one call. */
const SHORT_TIMEOUT_SECONDS = 2
const LONG_TIMEOUT_SECONDS = 30
const DEADLINE_MS = 120_000

const ANY: readonly FaultName[] = [
  'invalid JSON',
  'HTML answer',
  'answer of another ID',
  'HTTP 500',
  'truncated body',
  'drops the socket',
]
const RARE: FaultName = 'hang'
const OF_METHOD: Readonly<Record<string, readonly FaultName[]>> = {
  block: ['skips a height', 'wrong chain id'],
  block_results: ['results of another height'],
  status: ['wrong chain id'],
}
/** Faults that only another node can contradict. */
const OF_ONE_NODE: Readonly<Record<string, readonly FaultName[]>> = {
  block: ['forked block', 'pruned heights'],
  block_results: ['pruned heights'],
}
const OF_WEBSOCKET: readonly FaultName[] = [
  'silent socket',
  'cancels the subscription',
  'cuts the websocket',
]

/** An archive answers late but correctly: if one node has lost state, the other must have it. */
type Role = 'liar' | 'forgetful liar' | 'other' | 'archive'

const strikeBy = (dice: Dice, role: Role, onStrike: (name: FaultName) => void) => {
  const requestCounts = new Map<string, number>()
  return ({ method, height, path }: NodeRequest): FaultName | undefined => {
    const request = [role, method, height, path]
    const key = request.join('/')
    const count = (requestCounts.get(key) ?? 0) + 1
    requestCounts.set(key, count)
    const step = [...request, count]
    if (role === 'archive' || count > MOST_STRIKES) return undefined
    if (!dice.happens(STRIKES_PERCENT, 'strikes', ...step)) return undefined
    // A hanging node would use up the time of the other one, which has the only copy of the state.
    const rare = role !== 'forgetful liar' && dice.happens(3, 'rare', ...step) ? [RARE] : []
    // A fork at the first block cannot be detected.
    const own = role !== 'other' && height > 1 ? (OF_ONE_NODE[method] ?? []) : []
    const faults = [...ANY, ...(OF_METHOD[method] ?? []), ...own]
    const fault = rare[0] ?? dice.pick(faults, 'fault', ...step)
    onStrike(fault)
    return fault
  }
}

const startNodes = async (dice: Dice, chain: MemoryChain, onStrike: (name: FaultName) => void) => {
  const prunes = dice.happens(50, 'prunes')
  const shown = showChain(chain, FIRST_TIP)
  const start = (role: Role) =>
    startNode({
      chain: shown,
      strike: strikeBy(dice, role, onStrike),
      delayMs: ({ method, height, path }) =>
        dice.roll(SLOWEST_MS, 'delay', role, method, height, path),
      abci: (request) =>
        role === 'forgetful liar' && dice.happens(40, 'pruned', request.path, request.height)
          ? { code: 38, log: 'version does not exist' }
          : undefined,
    })
  const roles: Role[] = prunes ? ['forgetful liar', 'archive'] : ['liar', 'other']
  const nodes = await Promise.all(roles.map(start))
  return { nodes, shown, timeoutSeconds: prunes ? LONG_TIMEOUT_SECONDS : SHORT_TIMEOUT_SECONDS }
}

/** Releases one block after the other and applies random faults to websockets. */
const grow = async (dice: Dice, { nodes, shown }: Awaited<ReturnType<typeof startNodes>>) => {
  while (shown.grow()) {
    const { tip } = shown
    for (const [number, node] of nodes.entries()) {
      if (dice.happens(15, 'websocket', number, tip)) {
        node.fault(dice.pick(OF_WEBSOCKET, 'websocket fault', number, tip), { times: 1 })
      } else node.heal()
      node.announce()
    }
    await new Promise((resolve) => setTimeout(resolve, BLOCK_MS))
  }
  for (const node of nodes) node.heal()
}

const isMissing = ({ data }: GovernanceEvent): boolean => 'reason' in data && data.reason !== null

/** Each is correct, or missing with a reason. Returns the number of existing ones. */
const expectNoWrongProof = (
  events: readonly GovernanceEvent[],
  undisturbed: readonly GovernanceEvent[],
): number => {
  const whole = new Map(undisturbed.map((event) => [event.id, event]))
  const found = events.filter((event) => PROOF.test(event.type) && !isMissing(event))
  const sets = new Set(
    ofType(undisturbed, 'rollcall.validators.observed.v1').map(({ data }) => data.hash),
  )
  for (const event of found) {
    // The first existing light block contains its validator set.
    if (event.type === 'rollcall.validators.observed.v1') expect(sets).toContain(event.data.hash)
    else expect(event).toEqual(whole.get(event.id))
  }
  return found.length
}

it('the log equals the chain’s events, each once, in order, if nodes answer late, incorrectly or never', {
  tags: 'ingest:no-height-skipped',
}, async () => {
  const struck = new Set<FaultName>()
  let proofs = 0
  const seeds = { file: import.meta.url, count: 30, lanes: 4, deadlineMs: DEADLINE_MS }
  await forEachSeed(seeds, async (dice) => {
    const chain = seededChain(dice, HEIGHTS, { proves: true })
    const started = await startNodes(dice, chain, (fault) => struck.add(fault))
    const storage = createMemoryLogStorage()
    const growing = grow(dice, started)
    try {
      const urls = started.nodes.map(({ url }) => url)
      await ingestUntil(chain.tip, { urls, storage, timeoutSeconds: started.timeoutSeconds })
      await growing
    } finally {
      for (const node of started.nodes) await node.close()
    }
    const log = openMemoryLog(storage)
    await expectChainFacts(log, chain)
    const [events, whole] = [await readEvents(log), await undisturbedLog(chain)]
    expect(withoutProofs(events)).toEqual(withoutProofs(whole))
    proofs += expectNoWrongProof(events, whole)
  })
  expect(proofs).toBeGreaterThan(0)
  if (!isWhole(seeds)) return
  const all = [ANY, RARE, ...Object.values(OF_METHOD), ...Object.values(OF_ONE_NODE)].flat()
  expect([...struck].sort()).toEqual([...new Set(all)].sort())
})
