// Tests live tallies that the node counts by another rule, from the node to the pages, with a restart in between and a real ClickHouse.
import { TallyResult } from 'cosmjs-types/cosmos/gov/v1/gov'
import { describe, expect, it } from 'vitest'
import { createApiRig } from '../support/api/api-rig.ts'
import { ingestToTip } from '../support/chain/ingest-run.ts'
import { createMemoryChain } from '../support/chain/memory-chain.ts'
import { projectAll } from '../support/fold/run-projections.ts'
import { createMemoryLogStorage, openMemoryLog } from '../support/log/memory-log.ts'
import { createFakeClock } from '../support/process/fake-clock.ts'
import { recordingLogger } from '../support/process/log-lines.ts'
import { timeAt } from '../support/simulator/blocks.ts'
import { submitTx, voteTx } from '../support/simulator/gov-events.ts'
import { type ChainState, proposalAt } from '../support/simulator/state/chain-state.ts'
import { useTestStore } from '../support/store/test-store.ts'

/** Two comparisons with the node. */
const QUIET = 40
const FOREIGN = TallyResult.fromPartial({
  yesCount: '123',
  abstainCount: '4',
  noCount: '5',
  noWithVetoCount: '6',
})

/** A vote of an operator (yes) and one of a delegator (no). */
const createVote = (change: (state: ChainState) => void) => {
  const chain = createMemoryChain()
  chain.add({ txs: [submitTx('1')] }, (state) => {
    state.proposals.set('1', proposalAt('1', 1, 2))
    change(state)
  })
  chain.add({ txs: [voteTx('1', 'one'), voteTx('1', 'alice', 3)] })
  return chain
}

type Chain = ReturnType<typeof createVote>

/** Ingests in two lives, each with new blocks. */
const ingestTwice = async (chain: Chain, env: Record<string, string> = {}) => {
  const storage = createMemoryLogStorage()
  const { logger, lines } = recordingLogger()
  for (let life = 1; life <= 2; life++) {
    for (let height = 0; height < QUIET; height++) chain.add()
    await ingestToTip(chain, openMemoryLog(storage), { logger, env })
  }
  return { log: openMemoryLog(storage), lines }
}

const otherRule = createVote((state) => {
  state.countsBy = 'no_inheritance'
})
const noRule = createVote((state) => {
  state.liveTallies = new Map([['1', FOREIGN]])
})

const setup = async (
  store: Parameters<typeof createApiRig>[0],
  chain: Chain,
): Promise<Awaited<ReturnType<typeof createApiRig>>> =>
  createApiRig(store, {}, createFakeClock({ startMs: Date.parse(timeAt(chain.tip)) }))

const VOTES = '/api/proposals/1/votes'
type Vote = { votingPower: string | null; tally: unknown }

describe('a chain that counts by another known rule', () => {
  const testStore = useTestStore(async (store) => {
    await projectAll((await ingestTwice(otherRule)).log, store)
  })

  it('has the tally of that rule, with the height at which the node counted the same', {
    tags: 'api:rule-is-named',
  }, async () => {
    const { ask } = await setup(testStore.store, otherRule)
    const { tally } = (await ask('/api/proposals/1')).json()
    expect(tally).toMatchObject({
      yes: '0',
      no: '75',
      final: false,
      rule: { name: 'no_inheritance', provedAt: 72, reported: false },
    })
    const { items } = (await ask(VOTES)).json() as { items: Vote[] }
    expect(items.every(({ votingPower }) => votingPower !== null)).toBe(true)
    const page = await ask('/proposals/1', { headers: { accept: 'text/html' } })
    expect(page.text).toContain(`The node counted the same at height ${tally.rule.provedAt}.`)
    expect((await ask('/api/health')).json()).toMatchObject({ limitations: [] })
  })
})

describe('a chain that counts by no known rule', () => {
  let errors: readonly unknown[] = []
  const testStore = useTestStore(async (store) => {
    const { log, lines } = await ingestTwice(noRule)
    errors = lines.filter(({ level }) => level === 'error')
    await projectAll(log, store)
  })

  it('has the tally of the node, and no powers of validators', {
    tags: 'api:rule-is-named',
  }, async () => {
    const { ask } = await setup(testStore.store, noRule)
    expect((await ask('/api/proposals/1')).json().tally).toMatchObject({
      yes: '123',
      abstain: '4',
      no: '5',
      noWithVeto: '6',
      turnout: '0.1380',
      ballots: 2,
      rule: { name: null, provedAt: null, reported: true },
    })
    const { items } = (await ask(VOTES)).json() as { items: Vote[] }
    expect(items.length).toBeGreaterThan(0)
    for (const { votingPower, tally } of items) expect([votingPower, tally]).toEqual([null, null])
  })

  it('raises an alert at each comparison', () => {
    expect(errors.length).toBeGreaterThan(1)
    for (const error of errors) {
      expect(error).toMatchObject({
        msg: 'the tally of the node differs from the recomputed one',
        node: { yes: '123', abstain: '4', no: '5', noWithVeto: '6' },
      })
    }
  })

  it('says so on its page, in health and in CSV', async () => {
    const { ask } = await setup(testStore.store, noRule)
    const page = await ask('/proposals/1', { headers: { accept: 'text/html' } })
    expect(page.text).toContain('Counted by the node itself: Rollcall does not know')
    expect((await ask('/api/health')).json()).toMatchObject({
      limitations: [{ kind: 'tally_reported', reason: expect.any(String) }],
    })
    const csv = await ask('/api/proposals', { headers: { accept: 'text/csv' } })
    const [head = '', row = ''] = csv.text.replaceAll('"', '').trimEnd().split(/\r?\n/)
    expect(head.endsWith('tallyRule,tallyRuleProvedAt,tallyReported,tallyStakeAt')).toBe(true)
    expect(row).toMatch(/,,true,\d+$/)
  })
})
