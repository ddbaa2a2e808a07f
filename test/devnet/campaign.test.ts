// Follows the large campaign on its own chain live: every tally must equal that of the node's REST API.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRunFolder, getJson, until } from '../support/process/rollcall-process.ts'
import { buildNode } from './build-node.ts'
import {
  CAMPAIGN_PERIODS,
  type CampaignPlayed,
  JAILED_AT_THE_END,
  playCampaign,
} from './campaign.ts'
import { type Devnet, startDevnet } from './chain.ts'
import {
  type ChainEvent,
  findAttribute,
  readGovernanceEvents,
  STAKE_EVENTS,
} from './chain-facts.ts'
import { operatorAddress } from './genesis.ts'
import { compareWithNode, type RunFolder, startProduct, untilCaughtUp } from './live-product.ts'
import { createNodeRest, type RestTally } from './node-rest.ts'
import { readVotes } from './past-votes.ts'
import { type Amounts, listProposals, listVotes, type ProposalAnswer } from './product-api.ts'

/** Few enough for a small machine, and more than a thousand. */
const VOTERS = Number(process.env['DEVNET_VOTERS'] ?? 1_040)
const START_TIMEOUT_MS = 120_000
const CATCH_UP_TIMEOUT_MS = 480_000
const ONE = 10n ** 18n

const progress = (line: string) => console.log(`${new Date().toISOString()} ${line}`)
const atoms = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * ONE + BigInt(fraction.padEnd(18, '0').slice(0, 18))
}
const toAmounts = (tally: RestTally): Amounts => ({
  yes: tally.yes_count,
  no: tally.no_count,
  abstain: tally.abstain_count,
  noWithVeto: tally.no_with_veto_count,
})
/** Summed first and truncated once, like on the chain. */
const sumTallies = (items: readonly { tally: Amounts }[]): Amounts => {
  const sum = (option: keyof Amounts) =>
    String(items.reduce((total, { tally }) => total + atoms(tally[option]), 0n) / ONE)
  return {
    yes: sum('yes'),
    no: sum('no'),
    abstain: sum('abstain'),
    noWithVeto: sum('noWithVeto'),
  }
}

type Stage = {
  devnet: Devnet
  folder: RunFolder
  url: string
  played: CampaignPlayed
  events: ChainEvent[]
  items: ProposalAnswer[]
}

async function runStage(dir: string, opened: (close: () => Promise<void>) => void): Promise<Stage> {
  const binary = await buildNode(progress)
  const devnet = await startDevnet({ dir, binary, periods: CAMPAIGN_PERIODS })
  opened(() => devnet.stop())
  const { folder, url } = await startProduct(devnet, opened)
  const played = await playCampaign(devnet, { voters: VOTERS, progress })
  await untilCaughtUp(url, played.lastHeight)
  progress(`the product is at height ${played.lastHeight}`)
  const range = { from: 1, to: played.lastHeight }
  const events = await readGovernanceEvents(devnet.rpcUrl, range, STAKE_EVENTS)
  const { items } = await listProposals(url)
  return { devnet, folder, url, played, events, items }
}

describe('a large campaign on a real chain', () => {
  let stage: Stage
  const closers: (() => Promise<void>)[] = []
  const rest = () => createNodeRest(stage.devnet.restUrl)
  const closings = () => stage.events.filter(({ type }) => type === 'active_proposal')
  const restarts = () =>
    closings().filter(
      (event) => findAttribute(event, 'proposal_result') === 'expedited_proposal_rejected',
    )
  const votes = () => stage.events.filter(({ type }) => type === 'proposal_vote')

  beforeAll(async () => {
    const dir = await mkdtemp(`${tmpdir()}/rollcall-campaign-`)
    closers.push(() => rm(dir, { recursive: true, force: true }))
    stage = await runStage(dir, (close) => closers.push(close))
  })
  afterAll(async () => {
    for (const close of closers.reverse()) await close()
  })

  it('has the expected size, with stake changes in the blocks of tallies and a slashed pool', () => {
    const voters = new Set(votes().map((event) => findAttribute(event, 'voter')))
    expect(voters.size).toBeGreaterThanOrEqual(Math.min(VOTERS, 1_000))
    expect(new Set(closings().map((event) => findAttribute(event, 'proposal_id'))).size).toBe(24)
    expect(restarts().length).toBeGreaterThan(0)
    const closingHeights = new Set(closings().map(({ height }) => height))
    const inClosingBlocks = (type: string) =>
      stage.events.filter((event) => event.type === type && closingHeights.has(event.height))
    for (const type of ['proposal_vote', 'delegate', 'unbond', 'redelegate']) {
      expect(inClosingBlocks(type).length, type).toBeGreaterThan(0)
    }
    const slashed = stage.events.filter(({ type }) => type === 'slash')
    expect(slashed.map((event) => findAttribute(event, 'reason'))).toContain('double_sign')
  })

  it('has jailed the pools that left for good or signed twice', async () => {
    const path = '/cosmos/staking/v1beta1/validators?pagination.limit=1000'
    const answer = await getJson<{ validators: { operator_address: string; jailed: boolean }[] }>(
      stage.devnet.restUrl,
      path,
    )
    const jailed = answer.validators.filter((each) => each.jailed)
    const expected = JAILED_AT_THE_END.map((index) =>
      operatorAddress(stage.devnet.accounts.operators[index]?.address ?? ''),
    )
    expect(new Set(jailed.map((each) => each.operator_address))).toEqual(new Set(expected))
    expect(answer.validators.length - jailed.length).toBeGreaterThanOrEqual(39)
  })

  it('has tallies that match the chain, all of them', () => {
    const matches = stage.items.map(({ proposalId, tally }) => ({
      proposalId,
      final: tally?.final,
      matchesChain: tally?.matchesChain,
      reason: tally?.matchesChainReason,
    }))
    const others = matches.filter((each) => each.matchesChain !== 'yes' || !each.final)
    expect(others).toEqual([])
    expect(matches.length).toBe(24)
  })

  it('shows the tallies that the node shows, and pools that add up to them', async () => {
    for (const { proposalId, tally, status } of stage.items) {
      const real = await rest().proposal(proposalId, stage.played.lastHeight)
      expect(real?.status, proposalId).toBe(`PROPOSAL_STATUS_${status.toUpperCase()}`)
      const chain = real ? toAmounts(real.final_tally_result) : undefined
      expect(tally, proposalId).toMatchObject(chain ?? {})
      const { items } = await listVotes(stage.url, proposalId)
      expect(sumTallies(items), proposalId).toEqual(chain)
    }
  })

  it('shows pools of a restarted vote that add up to what the node had at the restart', async () => {
    for (const restart of restarts()) {
      const id = findAttribute(restart, 'proposal_id') ?? ''
      const real = await rest().proposal(id, restart.height)
      const { items } = await listVotes(stage.url, id, 1)
      expect(sumTallies(items), id).toEqual(real ? toAmounts(real.final_tally_result) : undefined)
    }
  })

  it('had live tallies that equal the answer of the node at the height of each whole reading of every vote', async () => {
    const live = await compareWithNode(stage.devnet, stage.folder)
    expect(live.differences.slice(0, 20)).toEqual([])
    expect(live.unknown).toBe(0)
    progress(`live: ${live.compared} tallies and ${live.poolRows} pool rows equal the node's`)
    // Each vote is read at its start and every 30 seconds. In half of these readings some stake is still in the queue: so many move it.
    expect(live.compared).toBeGreaterThan(20)
  })

  it.each([
    ['closes', false],
    ['votes', true],
  ])('is known to a product that began at the tip, with HISTORY=%s', async (history, timed) => {
    const folder = await createRunFolder()
    try {
      const env = { CHAIN_RPC_URLS: stage.devnet.rpcUrl, HISTORY: history }
      const late = await folder.run({ env }).untilServing(START_TIMEOUT_MS)
      await until('every past vote is recomputed', CATCH_UP_TIMEOUT_MS, async () => {
        const { items } = await listProposals(late)
        const isDone = items.every((item) => item.history === 'reconstructed')
        return (items.length === stage.items.length && isDone) || undefined
      })
      for (const item of stage.items) {
        const live = await readVotes(stage.url, item, { timed })
        expect(await readVotes(late, item, { timed }), item.proposalId).toEqual(live)
      }
    } finally {
      await folder.clean()
    }
  })

  it('gives evidence from which anybody can recompute them', async () => {
    const [restarted] = restarts().map((event) => findAttribute(event, 'proposal_id') ?? '')
    const chosen = stage.items.filter((_, index) => index % 6 === 0)
    const commands = [
      ...chosen.map(({ proposalId }) => [proposalId]),
      ...(restarted ? [[restarted, '--round', '1']] : []),
    ]
    for (const args of commands) {
      const verify = stage.folder.run({
        args: ['tally', 'verify', ...args, '--url', stage.url],
      })
      const { code } = await verify.ended
      expect(code, `${args.join(' ')}: ${verify.stdout()}${verify.stderr()}`).toBe(0)
    }
  })

  it('reports its numbers, and every tally matches the chain', async () => {
    const count = (match: string) =>
      stage.items.filter(({ tally }) => tally?.matchesChain === match).length
    const voters = new Set(votes().map((event) => findAttribute(event, 'voter'))).size
    const ballots = stage.items.reduce((sum, { tally }) => sum + (tally?.ballots ?? 0), 0)
    const { items: pools } = await listVotes(stage.url, stage.items[0]?.proposalId ?? '')
    const moves = stage.events.filter(({ type }) => /^(?:delegate|unbond|redelegate)$/.test(type))
    const line =
      `campaign: ${stage.items.length} proposals closed, ${restarts().length} restarted, ` +
      `${voters} voters, ${pools.length} pools shown, ${ballots} ballots, ` +
      `${votes().length} vote events, ${moves.length} stake events, ` +
      `matches ${count('yes')} yes / ${count('no')} no / ${count('unknown')} unknown`
    progress(line)
    expect(count('yes')).toBe(stage.items.length)
  })
})
