// A report of one endpoint about a height is compared with another endpoint.
// A ballot that the chain's state does not have does not count, and one that no event reports does.
import { describe, expect, it, onTestFinished } from 'vitest'
import { type CrossedNode, type Forgery, startCrossed } from '../support/chain/crossed-nodes.ts'
import { ofType } from '../support/chain/ingest-run.ts'
import { groupByHeight } from '../support/chain/live-tallies.ts'
import type { MemoryChain } from '../support/chain/memory-chain.ts'
import { waitUntil } from '../support/chain/source-rig.ts'
import { finalReadings } from '../support/chain/vote-run.ts'
import { castAll, end, play, start } from '../support/chain/votes.ts'
import { foldHeights } from '../support/fold/fold-heights.ts'
import { account } from '../support/simulator/addresses.ts'
import { voteEvent } from '../support/simulator/gov-events.ts'
import type { RunningNode } from '../support/simulator/nodes/node.ts'
import type { ChainEvent } from '../support/simulator/rpc/served-chain.ts'

const FORGED_HEIGHT = 3
const COUNTS = { yes: '75', no: '60', noWithVeto: '490' }

const toFakeEvent = ([type, attributes]: ReturnType<typeof voteEvent>): ChainEvent => ({
  type,
  attributes: Object.entries(attributes as Record<string, string>),
})

/** A forged vote by an account without stake: no sum changes. */
const inventsVote: Forgery = (block, height) =>
  height === FORGED_HEIGHT
    ? { ...block, end: [...(block.end ?? []), toFakeEvent(voteEvent('1', 'outsider'))] }
    : block

const hidesVotes: Forgery = (block, height) =>
  height === FORGED_HEIGHT ? { ...block, txs: block.txs?.slice(1) ?? [] } : block

const withoutEvents: Forgery = (block) => ({
  ...block,
  begin: [],
  end: [],
  txs: (block.txs ?? []).map((tx) => ({ ...tx, events: [] })),
})

const voteChain = (): MemoryChain =>
  play([[{}], start(), castAll('1'), [{}], end('1', COUNTS), [{}]])

const setup = async (
  nodes: readonly CrossedNode[],
  prepare?: (nodes: RunningNode[]) => void,
  chain = voteChain(),
) => {
  const run = await startCrossed(chain, nodes, prepare ? { prepare } : {})
  onTestFinished(run.stop)
  const voters = async () =>
    ofType(await run.events(), 'rollcall.vote.cast.v1').map(({ data }) => data.voter)
  const errors = () => run.lines.filter(({ level }) => level === 'error')
  return { ...run, chain, voters, errors }
}

const TRUE_VOTERS = ['alice', 'bob', 'one'].map(account)

describe('two endpoints that report different governance events of a height', {
  tags: 'ingest:endpoints-are-compared',
}, () => {
  it('are named, and the height is indexed only after they agree', async () => {
    const forgeries = { isOn: true }
    const lying: Forgery = (block, height) => (forgeries.isOn ? inventsVote(block, height) : block)
    const run = await setup([{ forgery: lying }, {}])
    await waitUntil(() => run.errors().length > 0, 'the disagreement is reported')
    await waitUntil(() => run.ingest.progress().tip === run.chain.tip, 'the tip is known')
    await run.reached(FORGED_HEIGHT - 1)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await run.height()).toBe(FORGED_HEIGHT - 1)
    const error = run.errors()[0]
    expect(error).toMatchObject({ height: FORGED_HEIGHT })
    for (const name of run.names) expect(error?.['reason']).toContain(name)
    const { ready, reasons } = run.ingest.readiness()
    expect(ready).toBe(false)
    expect(reasons.join()).toMatch(
      new RegExp(`disagree about the governance events of height ${FORGED_HEIGHT}: `),
    )
    expect(await run.metricsText()).toMatch(/cross_checks_total\{[^}]*outcome="different"\} [1-9]/)

    forgeries.isOn = false
    await run.reached(run.chain.tip)
    expect(await run.voters()).toEqual(TRUE_VOTERS)
    expect(run.ingest.readiness()).toMatchObject({ ready: true, reasons: [] })
  })

  it('are not trusted alone: a disputed height stays disputed after one of them has gone', async () => {
    const run = await setup([{ forgery: inventsVote }, {}])
    await waitUntil(() => run.errors().length > 0, 'the disagreement is reported')
    run.nodes[1]?.fault('HTTP 500')
    await run.reached(FORGED_HEIGHT - 1)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await run.height()).toBe(FORGED_HEIGHT - 1)
    expect(await run.voters()).toEqual([])
    run.nodes[1]?.heal()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await run.height()).toBe(FORGED_HEIGHT - 1)
  })

  it.each([
    ['invents a vote', inventsVote],
    ['hides a vote', hidesVotes],
    ['sends no events', withoutEvents],
  ])('are decided by a third one, and the one that %s is named', async (_, forgery) => {
    const run = await setup([{ forgery }, {}, {}])
    await run.reached(run.chain.tip)
    expect(await run.voters()).toEqual(TRUE_VOTERS)
    const endpoint = run.names[0]
    expect(run.errors()[0]).toMatchObject({ msg: 'endpoint contradicts the majority', endpoint })
    const [reading] = finalReadings(await run.events())
    expect(reading?.data).toMatchObject({ complete: true, ballots: { length: 3 } })
  })
})

describe('an endpoint that is down', () => {
  it('does not stop indexing: the other one is used, and heights without comparison are counted', async () => {
    const run = await setup([{}, {}], (nodes) => nodes[1]?.fault('HTTP 500'))
    await run.reached(run.chain.tip)
    expect(await run.voters()).toEqual(TRUE_VOTERS)
    expect(await run.metricsText()).toMatch(/cross_checks_total\{[^}]*outcome="unchecked"\} 3\b/)
    const warnings = run.lines.filter(
      ({ msg }) => msg === 'governance events were not cross-checked',
    )
    expect(warnings).toHaveLength(1)
    expect(warnings[0]?.['reason']).toContain(run.names[1])
    const { ready, reasons } = run.ingest.readiness()
    expect(ready).toBe(true)
    expect(reasons).toEqual([
      `endpoint ${run.names[1]}: HTTP status 500: Internal Server Error (RPC_UNAVAILABLE)`,
    ])
  })
})

describe('the ballots of an ended vote', () => {
  const readFinal = async (run: Awaited<ReturnType<typeof setup>>) => {
    await run.reached(run.chain.tip)
    const events = await run.events()
    const [reading] = finalReadings(events)
    const fold = foldHeights(groupByHeight(events))
    const ballots = fold.final('ballots').map((row) => [row.voter, row.counted && row.in_state])
    return { ...reading?.data, rows: Object.fromEntries(ballots), tally: fold.final('tallies')[0] }
  }
  const allCounted = Object.fromEntries(TRUE_VOTERS.map((voter) => [voter, true]))
  const matching = { matches_chain: 'yes', final: true, ballots: 3 }

  it('are without one that only an event has, which is kept and does not count', {
    tags: 'ingest:state-is-the-record',
  }, async () => {
    const run = await setup([{ forgery: inventsVote }])
    const { rows, tally, ...data } = await readFinal(run)
    expect(data).toMatchObject({ complete: true, ballots: { length: 3 } })
    expect(rows).toEqual({ ...allCounted, [account('outsider')]: false })
    expect(tally).toMatchObject(matching)
    expect(await run.metricsText()).toMatch(/ballot_checks_total\{[^}]*outcome="different"\} 1\b/)
  })

  it('are with one that no event reports', {
    tags: 'ingest:state-is-the-record',
  }, async () => {
    const unseen: Forgery = (block, height) => ({
      ...block,
      txs: (block.txs ?? []).map((tx, order) =>
        height === FORGED_HEIGHT && order === 1 ? { ...tx, events: [] } : tx,
      ),
    })
    const run = await setup([{ forgery: unseen }])
    const { rows, tally, ...data } = await readFinal(run)
    expect(await run.voters()).toEqual(['alice', 'one'].map(account))
    expect(data).toMatchObject({ complete: true, ballots: { length: 3 } })
    expect(rows).toEqual(allCounted)
    expect(tally).toMatchObject(matching)
  })

  it('are those of the events if no node has that state', async () => {
    const pruned = voteChain()
    const abci: CrossedNode['abci'] = (request) =>
      request.path.endsWith('/Votes') ? { code: 38, log: 'gone' } : undefined
    const run = await setup([{ abci }], undefined, pruned)
    const { tally, ...data } = await readFinal(run)
    expect(data).toMatchObject({ complete: true, ballots: { length: 3 } })
    expect(tally).toMatchObject(matching)
    expect(await run.metricsText()).toMatch(/ballot_checks_total\{[^}]*outcome="skipped"\} 1\b/)
  })
})
