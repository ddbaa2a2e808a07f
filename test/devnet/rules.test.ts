// Plays the same votes on five chains that count differently, and compares the tallies of the product with those of each node.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildRulesNode } from './build-node.ts'
import {
  type ChainEvent,
  findAttribute,
  readGovernanceEvents,
  STAKE_EVENTS,
} from './chain-facts.ts'
import type { ProposalAnswer } from './product-api.ts'
import { createRawRpc } from './rpc.ts'
import { type Followed, followRule, withVeto } from './rules/followed.ts'
import { readBondedTokens, readProposal, readTally } from './rules/gov-reads.ts'
import { PROLONGATION_MS, RULES, type Rule } from './rules/rules-chain.ts'
import { ENDINGS } from './rules/stories.ts'

const progress = (line: string) => console.log(`${new Date().toISOString()} ${line}`)

/** Two at a time: each has a node and a product of its own. */
const AT_ONCE = 2
/** The product knows these rules; the others it finds by their difference. */
const KNOWN_RULES = ['gov', 'extra', 'governors', 'alone'] as const satisfies readonly Rule[]

describe('chains that count differently', () => {
  const runs = new Map<Rule, Followed>()
  const closers: (() => Promise<void>)[] = []
  const runOf = (rule: Rule): Followed => {
    const run = runs.get(rule)
    if (!run) throw new Error(`no chain counts by ${rule}`)
    return run
  }
  const idOf = (rule: Rule, name: string): bigint => runOf(rule).stage.id(name)
  const rpcOf = (rule: Rule) => createRawRpc(runOf(rule).devnet.rpcUrl)
  const read = new Map<Rule, Promise<ChainEvent[]>>()
  const readEvents = (rule: Rule): Promise<ChainEvent[]> => {
    const { devnet, played } = runOf(rule)
    const range = { from: 1, to: played.lastHeight }
    const events = read.get(rule) ?? readGovernanceEvents(devnet.rpcUrl, range, STAKE_EVENTS)
    read.set(rule, events)
    return events
  }
  const findClose = async (rule: Rule, name: string): Promise<number> => {
    const id = String(idOf(rule, name))
    const close = (await readEvents(rule)).find(
      (event) => event.type === 'active_proposal' && findAttribute(event, 'proposal_id') === id,
    )
    if (!close) throw new Error(`${name} is not closed on the chain of ${rule}`)
    return close.height
  }

  beforeAll(async () => {
    const binary = await buildRulesNode(progress)
    const dir = await mkdtemp(`${tmpdir()}/rollcall-rules-`)
    closers.push(() => rm(dir, { recursive: true, force: true }))
    const left = [...RULES]
    const followAll = async () => {
      for (let rule = left.shift(); rule; rule = left.shift()) {
        const begin = Date.now()
        const options = { dir: `${dir}/${rule}`, binary }
        const run = await followRule(rule, options, (close) => closers.push(close))
        runs.set(rule, run)
        const { played, items, live, served } = run
        progress(
          `${rule}: ${items.length} votes, ${played.lastHeight} heights, ${live.compared} live tallies ` +
            `(${live.reported} reported) and ${live.poolRows} pool rows, ${live.differences.length} differ, ` +
            `${served.length} served, ${Math.round((Date.now() - begin) / 1_000)} s`,
        )
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, followAll))
  })
  afterAll(async () => {
    for (const close of closers.reverse()) await close()
  })

  it.each(RULES)('ends each vote of a chain that counts by %s as its rule says', async (rule) => {
    const { played } = runOf(rule)
    const ended: Record<string, string> = {}
    for (const [name, id] of played.proposals) {
      ended[name] = (await readProposal(rpcOf(rule), rule, id, played.lastHeight)).status
    }
    expect(ended).toEqual(ENDINGS[rule])
  })

  it('tallies twice in one end block, and the second time of fewer pools', async () => {
    const [shrunk, close] = [
      await findClose('gov', 'shrink'),
      await findClose('gov', 'afterShrink'),
    ]
    expect(shrunk).toBe(close)
    const rpc = rpcOf('gov')
    const { tally } = await readProposal(rpc, 'gov', idOf('gov', 'afterShrink'), close)
    const voted = BigInt(tally.yes) + BigInt(tally.no) + BigInt(tally.abstain)
    // Of the pool's whole balance the quorum of 33.4 % is missed.
    const bonded = await readBondedTokens(rpc, close - 1)
    expect(voted * 1_000n).toBeLessThan(bonded * 334n)
  })

  it('moves stake after the tally of a closing block, which would have turned the result', async () => {
    const close = await findClose('gov', 'epoch')
    const moved = (await readEvents('gov')).filter(
      ({ type, height, isInTx }) =>
        height === close && !isInTx && /^(?:delegate|unbond)$/.test(type),
    )
    expect(moved.map(({ type }) => type).sort()).toEqual(['delegate', 'unbond'])
    const rpc = rpcOf('gov')
    const id = idOf('gov', 'epoch')
    const before = await readTally(rpc, 'gov', id, close - 1)
    expect((await readProposal(rpc, 'gov', id, close)).tally).toEqual(before)
  })

  it('prolongs one vote and ends another one at once, without an event that says so', async () => {
    const events = await readEvents('gov')
    const readEnds = async (name: string) => {
      const id = idOf('gov', name)
      const own = events.filter((event) => findAttribute(event, 'proposal_id') === String(id))
      const heights = [own[0]?.height ?? 0, await findClose('gov', name)]
      const answers = heights.map((height) => readProposal(rpcOf('gov'), 'gov', id, height))
      return (await Promise.all(answers)).map(({ votingEndMs }) => votingEndMs)
    }
    const [planned = 0, prolonged] = await readEnds('prolonged')
    expect(prolonged).toBe(planned + PROLONGATION_MS)
    const [plannedToo = 0, early] = await readEnds('endedEarly')
    expect(early).toBeLessThan(plannedToo - 10_000)
  })

  /** No event says that the steward's hook vetoed a vote: the product finds it later. */
  const isVetoed = (rule: Rule, id: string) => {
    const [name = ''] =
      [...runOf(rule).played.proposals].find(([, each]) => String(each) === id) ?? []
    return ENDINGS[rule][name] === 'vetoed'
  }

  it.each(KNOWN_RULES)('has tallies of a chain that counts by %s that match it', (rule) => {
    const read = ({ title, status, tally }: ProposalAnswer) => ({
      title,
      status,
      final: tally?.final,
      matchesChain: tally?.matchesChain,
    })
    const closed = runOf(rule).items.filter(({ proposalId }) => !isVetoed(rule, proposalId))
    const expected = closed.map(({ title }) => ({
      title,
      status: ENDINGS[rule][title],
      final: true,
      matchesChain: 'yes',
    }))
    expect(closed.map(read)).toEqual(expected)
    expect(runOf(rule).items.length).toBe(runOf(rule).played.proposals.size)
  })

  it('has as the base of each quorum the tokens of the pools that were walked', async () => {
    const close = await findClose('gov', 'shrink')
    const rpc = rpcOf('gov')
    const bases = runOf('gov')
      .items.filter(({ title }) => /shrink/i.test(title))
      .map(({ title, tally, outcomeReason }) => [
        title,
        { base: tally?.bondedTokens, outcomeReason },
      ])
    // No stake moves in that block: its end is without the pool that the second tally left out.
    const [before, after] = [
      await readBondedTokens(rpc, close - 1),
      await readBondedTokens(rpc, close),
    ]
    expect(Object.fromEntries(bases)).toEqual({
      shrink: { base: String(before), outcomeReason: null },
      afterShrink: { base: String(after), outcomeReason: null },
    })
    expect(after).toBeLessThan(before)
  })

  it.each(KNOWN_RULES)(
    'has live tallies of a chain that counts by %s that equal its node’s at the height of each reading',
    (rule) => {
      const { live } = runOf(rule)
      const others = live.differences.filter((line) => {
        const [, id] = /proposal (\d+)/.exec(line) ?? []
        return id === undefined || !isVetoed(rule, id)
      })
      expect(others.slice(0, 20)).toEqual([])
      expect(live.unknown).toBe(0)
      expect(live.compared).toBeGreaterThan(5)
    },
  )

  it.each(KNOWN_RULES)(
    'serves tallies of a chain that counts by %s while they are open, and computes them',
    async (rule) => {
      const served = runOf(rule).served.filter(
        ({ proposalId, height, stakeAt }) => stakeAt === height && !isVetoed(rule, proposalId),
      )
      expect(served.length).toBeGreaterThan(0)
      for (const { proposalId, height, counts, reported } of served) {
        const tally = await readTally(rpcOf(rule), rule, BigInt(proposalId), height)
        const expected = { counts: withVeto(tally), reported: false }
        expect({ counts, reported }, `proposal ${proposalId}, height ${height}`).toEqual(expected)
      }
    },
  )

  it('serves numbers that the node had, while no known rule gives them', async () => {
    for (const id of runOf('twice').played.proposals.values()) {
      const own = runOf('twice').served.filter(({ proposalId }) => proposalId === String(id))
      const heights = own.map(({ height }) => height)
      const had = new Set<string>()
      for (let height = Math.min(...heights); height <= Math.max(...heights); height++) {
        had.add(JSON.stringify(await readTally(rpcOf('twice'), 'twice', id, height)))
      }
      const reported = own.filter((each) => each.reported)
      expect(reported.some(({ counts }) => counts.abstain !== '0')).toBe(true)
      // They are those of the last comparison.
      for (const { counts } of reported) expect([...had]).toContain(JSON.stringify(counts))
    }
  })

  it('says that the tallies of a chain that counts by no known rule differ', () => {
    for (const { title, tally } of runOf('twice').items) {
      expect(['no', 'unknown'], title).toContain(tally?.matchesChain)
      expect(tally?.matchesChainReason, title).toMatch(/\S/)
    }
  })
})
