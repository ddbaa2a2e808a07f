// Compares what the product served of a followed chain with the state of its node: proposals, ballots, pools and every tally.
import { fromBech32 } from '@cosmjs/encoding'
import { expect, it } from 'vitest'
import { findAttribute, listCloses } from './chain-facts.ts'
import type { Followed } from './followed-chain.ts'
import type { Counts } from './node-state.ts'
import type { ProposalAnswer } from './product-api.ts'

const ONE = 10n ** 18n
const OPTIONS = ['', 'yes', 'abstain', 'no', 'no_with_veto']
const OPTION_NAMES = ['yes', 'no', 'abstain', 'noWithVeto'] as const

/** In units of 1e-18. */
function parseDecimal(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * ONE + BigInt(fraction.padEnd(18, '0').slice(0, 18))
}

const pickCounts = (counts: Counts): Counts => {
  const { yes, no, abstain, noWithVeto } = counts
  return { yes, no, abstain, noWithVeto: noWithVeto ?? '0' }
}

/** Summed first and truncated once, like on the chain. */
function sumTallies(items: readonly { tally: Counts }[]): Counts {
  const sums = OPTION_NAMES.map((option) => {
    const sum = items.reduce((total, { tally }) => total + parseDecimal(tally[option] ?? '0'), 0n)
    return [option, String(sum / ONE)]
  })
  return Object.fromEntries(sums)
}

type Option = { option: string | number; weight: string }

/** `noWithVeto` and `no_with_veto` are one option, `0.5` and `0.500000000000000000` one weight. */
const describeVote = (options: readonly Option[]): string =>
  options
    .map(({ option, weight }) => {
      const name = typeof option === 'number' ? (OPTIONS[option] ?? '') : option
      return `${name.replaceAll('_', '').toLowerCase()} ${parseDecimal(weight)}`
    })
    .sort()
    .join(', ')

/** The same of an operator and of its pool. */
const toRawAddress = (address: string): string =>
  Buffer.from(fromBech32(address).data).toString('hex')

/** The ballots that the last close counted, by raw address: those of the block before, and of the closing block itself. */
async function readBallots({ scene, events }: Followed, id: string): Promise<Map<string, string>> {
  const closed = listCloses(events, id).at(-1)?.height ?? 0
  const ballots = new Map<string, string>()
  for (const { voter, options } of await scene.state.votes(BigInt(id), closed - 1)) {
    ballots.set(toRawAddress(voter), describeVote(options))
  }
  for (const event of events) {
    if (event.type !== 'proposal_vote' || event.height !== closed || !event.isInTx) continue
    if (findAttribute(event, 'proposal_id') !== id) continue
    const options: Option[] = JSON.parse(findAttribute(event, 'option') ?? '[]')
    ballots.set(toRawAddress(findAttribute(event, 'voter') ?? ''), describeVote(options))
  }
  return ballots
}

const toMillis = (time: string | null) => (time === null ? null : Date.parse(time))

/** In the form of the node's state. */
const describeProposal = (ours: ProposalAnswer) => ({
  status: ours.status,
  title: ours.title,
  summary: ours.summary,
  metadata: ours.metadata,
  proposer: ours.proposer,
  expedited: ours.expedited,
  failedReason: ours.failedReason ?? '',
  totalDeposit: ours.totalDeposit,
  submitTime: toMillis(ours.submitTime),
  depositEndTime: toMillis(ours.depositEndTime),
  votingStartTime: toMillis(ours.votingStartTime),
  votingEndTime: toMillis(ours.votingEndTime),
})

type Compared = {
  /** Proposals of which the product cannot know that they ended. */
  except?: readonly string[]
}

/** Declares the tests. */
export function compareTallies(find: () => Followed, { except = [] }: Compared = {}): void {
  const listCompared = () => {
    const { items, scene } = find()
    const left = new Set(except.map((name) => String(scene.proposals.get(name))))
    return items.filter(({ proposalId }) => !left.has(proposalId))
  }
  const listVoted = () =>
    listCompared().filter(({ proposalId }) => listCloses(find().events, proposalId).length > 0)

  it('serves every proposal as the node has it', async () => {
    const { scene, lastHeight, items } = find()
    const ids = items.map(({ proposalId }) => BigInt(proposalId))
    expect(ids).toEqual([...scene.proposals.values()].sort((a, b) => Number(b - a)))
    for (const item of listCompared()) {
      const real = await scene.state.proposal(BigInt(item.proposalId), lastHeight)
      // The chain deletes those that are canceled or dropped.
      if (!real) expect(['canceled', 'dropped'], item.proposalId).toContain(item.status)
      else expect(real, item.proposalId).toMatchObject(describeProposal(item))
    }
  })

  it('has final tallies that match the chain, all of them', () => {
    const others = listVoted().filter(({ tally }) => tally?.matchesChain !== 'yes' || !tally.final)
    expect(others.map(({ proposalId, tally }) => ({ proposalId, tally }))).toEqual([])
    expect(listVoted().length).toBeGreaterThan(0)
  })

  it('shows pools of every round that add up to the tally of the node', async () => {
    const { scene, events, pools } = find()
    for (const { proposalId, tally } of listVoted()) {
      const id = BigInt(proposalId)
      const closes = listCloses(events, id)
      for (const [index, { height }] of closes.entries()) {
        const real = (await scene.state.proposal(id, height))?.finalTally
        const shown = pools.get(`${proposalId}/${index + 1}`) ?? []
        expect(sumTallies(shown), `proposal ${id}, round ${index + 1}`).toEqual(real)
        if (index === closes.length - 1) expect(tally && pickCounts(tally)).toEqual(real)
      }
    }
  })

  it('counts the ballots that the node had at the close, and shows those of all pools', async () => {
    const { scene, events, pools } = find()
    for (const { proposalId, round, tally } of listVoted()) {
      const close = listCloses(events, proposalId).at(-1)?.height ?? 0
      const ballots = await readBallots(find(), proposalId)
      expect(tally?.ballots, proposalId).toBe(ballots.size)
      const shown = new Map(
        (pools.get(`${proposalId}/${round}`) ?? []).map(({ pool, vote }) => [
          toRawAddress(pool.operatorAddress),
          vote ? describeVote(vote.options) : undefined,
        ]),
      )
      const bonded = (await scene.state.pools(close - 1))
        .filter(({ status }) => status === 'bonded')
        .map(({ operatorAddress }) => toRawAddress(operatorAddress))
      const had = [...new Set([...shown.keys(), ...bonded])]
      const votes = (all: ReadonlyMap<string, string | undefined>) =>
        had.map((pool) => [pool, all.get(pool)])
      expect(votes(shown), `proposal ${proposalId}`).toEqual(votes(ballots))
    }
  })

  it('had live tallies that equal those of the node at the height of each reading', () => {
    const { live, scene } = find()
    const left = except.map((name) => `proposal ${scene.proposals.get(name)}`)
    const others = live.differences.filter(
      (line) => !left.some((start) => new RegExp(`\\b${start}\\b`).test(line)),
    )
    expect(others.slice(0, 20)).toEqual([])
    expect(live.unknown).toBe(0)
    expect(live.compared).toBeGreaterThan(5)
  })

  it('gives evidence from which anybody can recompute them', () => {
    expect(find().rejected).toEqual([])
  })
}
