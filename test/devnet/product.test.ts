// Compares the product with the live node: proposals, votes and statuses must equal those of the node.
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createRunFolder, getJson, until } from '../support/process/rollcall-process.ts'
import {
  type ChainEvent,
  closingHeight,
  findAttribute,
  readGovernanceEvents,
} from './chain-facts.ts'
import { createNodeRest, type RestProposal, type RestTally } from './node-rest.ts'
import {
  type Amounts,
  getProposal,
  listProposals,
  listVotes,
  type ProposalAnswer,
} from './product-api.ts'
import type { ProposalKey } from './proposal-texts.ts'
import { TEXTS } from './proposal-texts.ts'
import { createRawRpc } from './rpc.ts'
import { ENDINGS } from './scenario.ts'

const { rpcUrl, restUrl, firstHeight, lastHeight, proposals } = inject('devnet')
const rest = createNodeRest(restUrl)
const keys = Object.keys(ENDINGS) as ProposalKey[]
/** Votes that reached their end, including those that were open at the end of the plot. */
const voted = keys.filter((key) =>
  ['passed', 'rejected', 'failed', 'voting_period'].includes(ENDINGS[key]),
)
const getId = (key: ProposalKey): string => proposals[key] ?? ''
const START_TIMEOUT_MS = 120_000
const CATCH_UP_TIMEOUT_MS = 300_000
/** After the plot the open votes end, and then nothing changes. */
const SETTLE_TIMEOUT_MS = 110_000

const STATUS: Record<string, string> = {
  PROPOSAL_STATUS_DEPOSIT_PERIOD: 'deposit_period',
  PROPOSAL_STATUS_VOTING_PERIOD: 'voting_period',
  PROPOSAL_STATUS_PASSED: 'passed',
  PROPOSAL_STATUS_REJECTED: 'rejected',
  PROPOSAL_STATUS_FAILED: 'failed',
}
const OPTION: Record<string, string> = {
  VOTE_OPTION_YES: 'yes',
  VOTE_OPTION_ABSTAIN: 'abstain',
  VOTE_OPTION_NO: 'no',
  VOTE_OPTION_NO_WITH_VETO: 'no_with_veto',
}
const OPTION_BY_NUMBER = ['', 'yes', 'abstain', 'no', 'no_with_veto']

const ONE = 10n ** 18n

const millis = (time: string | null) => (time === null ? null : Date.parse(time))
/** Weights are compared as numbers of 1e-18: `0.5` and `0.500000000000000000` are one weight. */
function parseWeight(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * ONE + BigInt(fraction.padEnd(18, '0').slice(0, 18))
}
/** `noWithVeto` and `no_with_veto` are the same option. */
const plain = (option: string) => option.replaceAll('_', '').toLowerCase()
type Options = readonly { option: string; weight: string }[]
const normalized = (options: Options) =>
  options
    .map(({ option, weight }) => `${plain(option)} ${parseWeight(weight)}`)
    .sort()
    .join(', ')

const asAmounts = (tally: RestTally): Amounts => ({
  yes: tally.yes_count,
  no: tally.no_count,
  abstain: tally.abstain_count,
  noWithVeto: tally.no_with_veto_count,
})
/** Summed first and truncated once, like on the chain. */
const sumTallies = (items: readonly { tally: Amounts }[]): Amounts => {
  const sum = (option: keyof Amounts) =>
    String(items.reduce((total, { tally }) => total + parseWeight(tally[option]), 0n) / ONE)
  return { yes: sum('yes'), no: sum('no'), abstain: sum('abstain'), noWithVeto: sum('noWithVeto') }
}
const onlyAmounts = ({ yes, no, abstain, noWithVeto }: Amounts): Amounts => ({
  yes,
  no,
  abstain,
  noWithVeto,
})

function expectSameProposal(ours: ProposalAnswer, real: RestProposal): void {
  expect({
    status: ours.status,
    title: ours.title,
    summary: ours.summary,
    metadata: ours.metadata,
    proposer: ours.proposer,
    expedited: ours.expedited,
    failedReason: ours.failedReason ?? '',
    submitTime: millis(ours.submitTime),
    depositEndTime: millis(ours.depositEndTime),
    votingStartTime: millis(ours.votingStartTime),
    votingEndTime: millis(ours.votingEndTime),
    totalDeposit: ours.totalDeposit,
  }).toEqual({
    status: STATUS[real.status],
    title: real.title,
    summary: real.summary,
    metadata: real.metadata,
    proposer: real.proposer,
    expedited: real.expedited,
    failedReason: real.failed_reason,
    submitTime: millis(real.submit_time),
    depositEndTime: millis(real.deposit_end_time),
    votingStartTime: millis(real.voting_start_time),
    votingEndTime: millis(real.voting_end_time),
    totalDeposit: real.total_deposit,
  })
}

/** The ballots that the close counted: state of the block before, then the closing block's own votes. */
async function ballotsAt(events: readonly ChainEvent[], id: string, closed: number) {
  const ballots = new Map<string, Options>()
  for (const { voter, options } of await rest.votes(id, closed - 1)) {
    const named = options.map(({ option, weight }) => ({
      option: OPTION[option] ?? option,
      weight,
    }))
    ballots.set(voter, named)
  }
  for (const event of events) {
    if (event.type !== 'proposal_vote' || event.height !== closed || !event.isInTx) continue
    if (findAttribute(event, 'proposal_id') !== id) continue
    const options: { option: number; weight: string }[] = JSON.parse(
      findAttribute(event, 'option') ?? '[]',
    )
    const named = options.map(({ option, weight }) => ({
      option: OPTION_BY_NUMBER[option] ?? String(option),
      weight,
    }))
    ballots.set(findAttribute(event, 'voter') ?? '', named)
  }
  return ballots
}

const nodeHeight = async (): Promise<number> =>
  Number((await createRawRpc(rpcUrl).call('status')).sync_info.latest_block_height)

const toAccountAddress = (operator: string) => toBech32('wasm', fromBech32(operator).data)

describe('the product on a real chain', () => {
  let url = ''
  let clean = async () => {}
  let run: Awaited<ReturnType<typeof createRunFolder>>['run']

  beforeAll(async () => {
    const folder = await createRunFolder()
    clean = folder.clean
    run = folder.run
    const product = folder.run({ env: { CHAIN_RPC_URLS: rpcUrl, START_HEIGHT: 'earliest' } })
    url = await product.untilServing(START_TIMEOUT_MS)
    await until('the product caught up with the chain', CATCH_UP_TIMEOUT_MS, async () => {
      const health = await getJson<{ status: string; chain: { height: number } | null }>(
        url,
        '/api/health',
      )
      const isThere = health.status === 'ok' && (health.chain?.height ?? 0) >= lastHeight
      return isThere ? true : undefined
    })
  })
  afterAll(() => clean())

  it('knows every proposal that ever was, newest first', async () => {
    const { items } = await listProposals(url)
    const ids = items.map(({ proposalId }) => BigInt(proposalId))
    expect(ids).toEqual([...ids].sort((a, b) => (a > b ? -1 : 1)))
    expect(new Set(ids.map(String))).toEqual(new Set(Object.values(proposals)))
  })

  it.each(keys)('says of proposal %s what the node says at the same height', async (key) => {
    const ours = await getProposal(url, getId(key))
    const { height } = ours.asOf
    const real = await rest.proposal(getId(key), height)
    if (real) {
      expectSameProposal(ours, real)
      const tally = await rest.tally(getId(key), height)
      // Between two readings stake is older than votes.
      const isCompared = ours.tally?.final || ours.tally?.stakeAt === height
      if (ours.tally && isCompared) expect(onlyAmounts(ours.tally)).toEqual(asAmounts(tally))
      return
    }
    // The chain has deleted it, so the test keeps its content.
    expect(['canceled', 'dropped']).toContain(ours.status)
    const { title, summary, metadata } = TEXTS[key]
    expect(ours).toMatchObject({ title, summary, metadata })
  })

  it('counts the ballots of an open vote as the node has them', async () => {
    for (const key of keys.filter((each) => ENDINGS[each] === 'voting_period')) {
      const ours = await getProposal(url, getId(key))
      if (ours.status !== 'voting_period') continue
      const votes = await rest.votes(getId(key), ours.asOf.height)
      expect(ours.tally?.ballots, key).toBe(votes.length)
    }
  })

  describe('once the last vote is closed', () => {
    let events: ChainEvent[] = []
    beforeAll(async () => {
      const closed = await until('the node closed the last vote', SETTLE_TIMEOUT_MS, async () => {
        const height = await nodeHeight()
        const found = await Promise.all(voted.map((key) => rest.proposal(getId(key), height)))
        const isOpen = found.some((real) => real?.status === 'PROPOSAL_STATUS_VOTING_PERIOD')
        return isOpen ? undefined : height
      })
      const tip = await until('the product has that height', CATCH_UP_TIMEOUT_MS, async () => {
        const { heights } = await listProposals(url)
        return Math.min(...heights) >= closed ? Math.max(...heights) : undefined
      })
      events = await readGovernanceEvents(rpcUrl, { from: firstHeight, to: tip })
    })

    it('agrees with the chain on every one of them', async () => {
      const { items } = await listProposals(url)
      const voted = items.filter(({ round, status }) => round > 0 && status !== 'canceled')
      expect(voted.length).toBeGreaterThan(14)
      const disagreeing = voted.filter(({ tally }) => tally?.matchesChain !== 'yes' || !tally.final)
      expect(disagreeing.map(({ proposalId, tally }) => ({ proposalId, tally }))).toEqual([])
    })

    it.each(voted)(
      'shows the pools of proposal %s with the votes that the node had',
      async (key) => {
        const id = getId(key)
        const closed = closingHeight(events, id) ?? 0
        expect(closed).toBeGreaterThan(0)
        const { items } = await listVotes(url, id)
        const ours = await getProposal(url, id)
        const ballots = await ballotsAt(events, id, closed)
        expect(ours.tally?.ballots).toBe(ballots.size)
        for (const { pool, vote } of items) {
          const real = ballots.get(toAccountAddress(pool.operatorAddress))
          expect(vote ? normalized(vote.options) : undefined, pool.operatorAddress).toBe(
            real ? normalized(real) : undefined,
          )
        }
        const shown = new Set(items.map(({ pool }) => toAccountAddress(pool.operatorAddress)))
        const bonded = (await bondedPools(closed - 1)).map(toAccountAddress)
        expect(bonded.filter((pool) => ballots.has(pool) && !shown.has(pool))).toEqual([])
      },
    )

    it.each(voted)(
      'shows pools of proposal %s that add up to the chain’s own tally',
      async (key) => {
        const id = getId(key)
        const { items, heights } = await listVotes(url, id)
        const real = await rest.proposal(id, Math.max(...heights))
        expect(sumTallies(items)).toEqual(real ? asAmounts(real.final_tally_result) : undefined)
      },
    )

    it('shows pools of restarted votes that add up to what the node had at the restart', async () => {
      const restarts = events.filter(
        (event) => findAttribute(event, 'proposal_result') === 'expedited_proposal_rejected',
      )
      expect(restarts.length).toBeGreaterThan(1)
      for (const restart of restarts) {
        const id = findAttribute(restart, 'proposal_id') ?? ''
        const real = await rest.proposal(id, restart.height)
        const { items } = await listVotes(url, id, 1)
        expect(sumTallies(items), id).toEqual(real ? asAmounts(real.final_tally_result) : undefined)
      }
    })

    it.each([
      [getId('constitution')],
      [getId('communityTax')],
      [getId('outage')],
      [getId('oracle'), '--round', '1'],
    ])('gives evidence of proposal %s from which anybody can recompute it', async (...which) => {
      const verify = run({ args: ['tally', 'verify', ...which, '--url', url] })
      const { code } = await verify.ended
      expect(code, `${verify.stdout()}${verify.stderr()}`).toBe(0)
    })
  })
})

async function bondedPools(height: number): Promise<string[]> {
  const path = '/cosmos/staking/v1beta1/validators'
  const query = 'status=BOND_STATUS_BONDED&pagination.limit=1000'
  const response = await fetch(`${restUrl}${path}?${query}`, {
    headers: { 'x-cosmos-block-height': String(height) },
  })
  const { validators } = JSON.parse(await response.text())
  return validators.map(({ operator_address }: { operator_address: string }) => operator_address)
}
