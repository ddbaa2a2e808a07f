// Tests votes that are reconstructed from past states: which of several endpoints is believed, and why a vote cannot be known.
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../infra/base/runtime/clock.ts'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import { createMetrics } from '../../../../infra/base/runtime/metrics.ts'
import { isKnown, known } from '../../../../ingest/chain/answer.ts'
import { proposalAt } from '../../../../ingest/chain/gov.ts'
import type { AbciRequest, ChainReader } from '../../../../ingest/comet/endpoints/node.ts'
import type { TallyRule } from '../../../../ingest/contract/tally-rule.ts'
import { createIngestMetrics } from '../../../../ingest/ingest-metrics.ts'
import { reconstruct } from '../../../../ingest/past-rounds/reconstruct.ts'
import { createSchemaSource } from '../../../../ingest/schema/schema-source.ts'
import { hurried } from '../../../support/chain/ingest-run.ts'
import { createMemoryChain, type MemoryChain } from '../../../support/chain/memory-chain.ts'
import { begin, decide, end, play } from '../../../support/chain/votes.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'
import { voteTx } from '../../../support/simulator/gov-events.ts'

/** The chain’s result is right if alice has 50 of the first pool. */
const withStake = (stake = 50n, yes = '75'): MemoryChain =>
  play([
    [{}],
    [{}, ({ delegations }) => void delegations.get('alice')?.set('one', stake)],
    begin('1', 6),
    [{ txs: [voteTx('1', 'alice')] }],
    [{}],
    end('1', { yes }),
    [{}],
  ])

const run = async (
  nodes: Record<string, ChainReader>,
  { latest = withStake(), rule = 'gov' }: { latest?: MemoryChain; rule?: TallyRule } = {},
) => {
  const { logger, lines } = recordingLogger()
  const named = Object.entries(nodes).map(([name, node]) => ({ name, node }))
  const closed = await proposalAt(latest, '1', 0)
  if (!isKnown(closed)) throw new Error(closed.unavailable)
  const answer = await reconstruct(closed.value.proposal, {
    nodes: named,
    schemas: createSchemaSource({ node: latest, clock: systemClock, logger }),
    // At every height.
    rules: { find: async () => known({ name: rule }) },
    searchesVotes: false,
    tip: latest.tip,
    clock: hurried,
    signal: new AbortController().signal,
    logger,
    metrics: createIngestMetrics(createMetrics('ingest')),
  })
  const drafts = isKnown(answer) ? answer.value.drafts : []
  const [ballot] = drafts.flatMap(({ type, data }) =>
    type === 'rollcall.round.read.v1' ? data.ballots : [],
  )
  return {
    stake: ballot?.delegations?.map(({ shares }) => Number.parseInt(shares, 10)),
    reason: isKnown(answer) ? null : answer.unavailable,
    alerts: lines.map(({ msg }) => msg),
  }
}

const stakeOf = (inFirst: number) => expect.arrayContaining([5, 20, inFirst])
const HONEST = { stake: stakeOf(50), reason: null, alerts: [] }
const ALERT = 'recomputed tally differs from the chain'

describe('endpoints that disagree about past state', () => {
  it('lose against the one whose inputs give the chain’s result', async () => {
    const nodes = { wrong: withStake(51n), worse: withStake(52n), right: withStake() }
    expect(await run(nodes)).toEqual(HONEST)
  })

  it('are believed if two of them agree, although their tally differs from the chain’s', async () => {
    const nodes = { one: withStake(51n), other: withStake(52n), third: withStake(51n) }
    expect(await run(nodes)).toEqual({ stake: stakeOf(51), reason: null, alerts: [ALERT] })
  })

  it.each<[TallyRule, bigint[], string]>([
    ['gov', [51n, 52n, 53n], '0, 1, 2'],
    ['own', [50n, 51n], '0, 1'],
  ])('are all named if no two of them agree, by the rule %s', async (rule, stakes, names) => {
    const nodes = Object.fromEntries(stakes.map((stake, at) => [`${at}`, withStake(stake)]))
    const reason = `the endpoints disagree about the vote: ${names}`
    expect(await run(nodes, { rule })).toEqual({ stake: undefined, reason, alerts: [] })
  })

  it('are not believed with another result than the latest state has', async () => {
    const wrong = withStake(51n, '76')
    expect(await run({ wrong, right: withStake() })).toEqual(HONEST)
    expect((await run({ wrong })).reason).toBe(
      'wrong: its past state has another final tally than the latest state',
    )
  })

  it('have the block of each other if one has discarded its results', async () => {
    const chain = withStake()
    const block: ChainReader['block'] = async (height) => {
      throw new AppError('HEIGHT_UNAVAILABLE', `no results of height ${height}`)
    }
    const bare = { ...chain, block }
    const pruned = withStake()
    pruned.prunedBelow = pruned.tip
    expect(await run({ bare, other: pruned })).toEqual(HONEST)
    expect((await run({ bare })).reason).toBe('bare: no endpoint has the block of height 6')
    const moved: ChainReader = {
      ...pruned,
      block: async (height) => ({ ...(await chain.block(height)), previousHash: 'AA' }),
    }
    expect((await run({ bare, moved })).reason).toMatch(
      /^bare: the endpoints disagree about the block of height 6; moved: /,
    )
  })
})

describe('a vote that cannot be reconstructed', () => {
  const answering = (chain: MemoryChain, answer: (request: AbciRequest) => object | undefined) =>
    ({
      ...chain,
      abciQuery: async (request: AbciRequest) =>
        answer(request) ?? (await chain.abciQuery(request)),
    }) as ChainReader

  it.each([5, 6])('names the height of a state that is missing: %i', async (missing) => {
    const archive = answering(withStake(), ({ height }) =>
      height === missing ? { kind: 'pruned', log: 'version does not exist' } : undefined,
    )
    expect((await run({ archive })).reason).toBe(
      `archive: the node has pruned the state of height ${missing}: version does not exist`,
    )
  })

  it('names an input that is missing', async () => {
    const archive = answering(withStake(), ({ path }) =>
      path.endsWith('Delegations')
        ? { kind: 'refused', code: 13, codespace: 'sdk', log: 'out of gas' }
        : undefined,
    )
    expect((await run({ archive })).reason).toMatch(
      /^archive: delegations of cosmos1.*: the node refused \(sdk 13\) at height 6: out of gas$/,
    )
  })

  it('names the first block of a chain that was restarted after the vote', async () => {
    const latest = createMemoryChain({ firstHeight: 5_000 })
    latest.add({}, (state) => {
      begin('1', 6)[1]?.(state, 3)
      decide('1', { yes: '75' })(state, 6)
    })
    play([[{}], [{}]], latest)
    expect((await run({ archive: latest }, { latest })).reason).toBe(
      'archive: the vote had ended at height 5000, the first one of the endpoint',
    )
  })
})
