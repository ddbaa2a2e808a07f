// Tests the plot: every proposal has the planned end, because the other devnet tests depend on it.
import { fromBech32 } from '@cosmjs/encoding'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { type ChainEvent, findAttribute, readGovernanceEvents } from './chain-facts.ts'
import { createNodeRest } from './node-rest.ts'
import { ENDINGS, type Ending } from './scenario.ts'

const { rpcUrl, restUrl, firstHeight, lastHeight, proposals } = inject('devnet')
const rest = createNodeRest(restUrl)

const STATUS: Partial<Record<Ending, string>> = {
  passed: 'PROPOSAL_STATUS_PASSED',
  rejected: 'PROPOSAL_STATUS_REJECTED',
  failed: 'PROPOSAL_STATUS_FAILED',
  voting_period: 'PROPOSAL_STATUS_VOTING_PERIOD',
  deposit_period: 'PROPOSAL_STATUS_DEPOSIT_PERIOD',
}

describe('the plot on the real chain', () => {
  let events: ChainEvent[] = []
  beforeAll(async () => {
    events = await readGovernanceEvents(rpcUrl, { from: firstHeight, to: lastHeight })
  })
  const results = (type: string) =>
    new Set(
      events
        .filter((event) => event.type === type)
        .map((event) => findAttribute(event, 'proposal_result')),
    )

  it.each(Object.entries(ENDINGS))('proposal %s ended %s', async (key, ending) => {
    const id = proposals[key]
    expect(id, key).toBeDefined()
    const found = await rest.proposal(id ?? '', lastHeight)
    expect(found?.status, found?.failed_reason).toBe(STATUS[ending])
  })

  it('shows every way in which a vote can end', () => {
    expect(results('active_proposal')).toEqual(
      new Set([
        'proposal_passed',
        'proposal_rejected',
        'proposal_failed',
        'expedited_proposal_rejected',
      ]),
    )
    expect(results('inactive_proposal')).toEqual(new Set(['proposal_dropped']))
    expect(events.filter(({ type }) => type === 'cancel_proposal')).toHaveLength(3)
  })

  it('shows votes of every origin', () => {
    const votes = events.filter(({ type }) => type === 'proposal_vote')
    const voters = new Set(votes.map((event) => findAttribute(event, 'voter') ?? ''))
    expect(voters.size).toBeGreaterThan(300)
    // A contract's address is longer than a person's.
    expect([...voters].some((voter) => fromBech32(voter).data.length === 32)).toBe(true)
    expect(votes.filter(({ isInTx }) => !isInTx)).toHaveLength(2)
    const timesNested = (event: ChainEvent) =>
      event.attributes.filter(({ key }) => key === 'authz_msg_index').length
    expect(new Set(votes.map(timesNested))).toEqual(new Set([0, 1, 2]))
    expect(votes.some((event) => /weight":"0\.7"/.test(findAttribute(event, 'option') ?? ''))).toBe(
      true,
    )
  })

  it('shows votes in the very block that closes them', () => {
    const closing = events.filter(({ type }) => type === 'active_proposal')
    const last = closing.filter((close) =>
      events.some(
        (event) =>
          event.type === 'proposal_vote' &&
          event.isInTx &&
          event.height === close.height &&
          findAttribute(event, 'proposal_id') === findAttribute(close, 'proposal_id'),
      ),
    )
    expect(last.length).toBeGreaterThan(0)
  })
})
