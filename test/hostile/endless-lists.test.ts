// No list of an endpoint stops the process or blocks indexing: Rollcall asks the next endpoint.
import { PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import {
  QueryDelegatorDelegationsRequest,
  QueryDelegatorDelegationsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { DelegationResponse } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { describe, expect, it, onTestFinished } from 'vitest'
import { delegationsAt } from '../../ingest/chain/staking.ts'
import { startSourceRig } from '../support/chain/source-rig.ts'
import { account, operator } from '../support/simulator/addresses.ts'
import type { NodeOptions, StateAnswer, StateRequest } from '../support/simulator/nodes/node.ts'

const alice = account('alice')
const delegationTo = (operatorAddress: string) =>
  DelegationResponse.fromPartial({
    delegation: {
      delegatorAddress: alice,
      validatorAddress: operatorAddress,
      shares: '1000000000000000000',
    },
  })
const DELEGATIONS = { one: delegationTo(operator('one')), two: delegationTo(operator('two')) }
const list = (pools: readonly (keyof typeof DELEGATIONS)[], nextKey = ''): StateAnswer => ({
  value: QueryDelegatorDelegationsResponse.encode(
    QueryDelegatorDelegationsResponse.fromPartial({
      delegationResponses: pools.map((pool) => DELEGATIONS[pool]),
      pagination: PageResponse.fromPartial({ nextKey: Uint8Array.from(Buffer.from(nextKey)) }),
    }),
  ).finish(),
})
const keyIn = ({ data }: StateRequest): number =>
  Number(
    Buffer.from(QueryDelegatorDelegationsRequest.decode(data).pagination?.key ?? []).toString(),
  )

/** A new page each time, without end. */
const endless = (request: StateRequest) => list(['one'], String(keyIn(request) + 1))
const circling = (request: StateRequest) => list(['one'], String(1 + (keyIn(request) % 3)))
/** No page has too many items. */
const CROWD = Array.from({ length: 15_000 }, () => 'one' as const)
const crowded = (request: StateRequest) => list(CROWD, String(keyIn(request) + 1))
const honest = (request: StateRequest) =>
  keyIn(request) === 0 ? list(['one'], '1') : list(['two'])

type Answers = NonNullable<NodeOptions['abci']>

const setup = (...answers: Answers[]) =>
  setupDelayed(...answers.map((abci, order) => ({ abci, delayMs: () => order * 150 })))

const setupDelayed = async (...nodes: { abci: Answers; delayMs: () => number }[]) => {
  // The long list takes this process some time: meanwhile, no second endpoint is asked as well.
  const rig = await startSourceRig({ nodes, wakeUp: 'none', pool: { hedgeAfterMs: 60_000 } })
  onTestFinished(rig.stop)
  // Both are healthy then: the first one is asked first.
  await rig.node.status()
  const answer = await delegationsAt(rig.node, alice, 4)
  const requestCounts = rig.nodes.map(
    ({ requests }) => requests.filter(({ method }) => method === 'abci_query').length,
  )
  const blamed = rig.lines.filter(({ msg }) => msg === 'endpoint failed')
  return { answer, requestCounts, blamed, names: rig.nodes.map(({ url }) => new URL(url).host) }
}

const HOSTILE = [
  { name: 'nothing at all', abci: () => ({ value: new Uint8Array() }), reason: /is empty/ },
  { name: 'pages without end', abci: endless, reason: /has more than 1000 pages/ },
  { name: 'pages in a circle', abci: circling, reason: /repeats a page/ },
  { name: 'more items than any account has', abci: crowded, reason: /has more than 20000 items/ },
] as const

describe('an endpoint that sends a list with', () => {
  for (const { name, abci, reason } of HOSTILE) {
    it(`${name} is rejected and named, and the next endpoint is asked for the whole list`, {
      tags: 'ingest:lists-are-bounded',
    }, async () => {
      const { answer, requestCounts, blamed, names } = await setup(abci, honest)
      const operators = 'value' in answer ? answer.value.map((each) => each.operatorAddress) : []
      expect(operators).toEqual([operator('one'), operator('two')].sort())
      expect(blamed).toEqual([
        expect.objectContaining({ endpoint: names[0], reason: expect.stringMatching(reason) }),
      ])
      expect(requestCounts[0]).toBeLessThanOrEqual(1_001)
      expect(requestCounts[1]).toBe(2)
    })

    it(`${name} as the only endpoint gives no list, with the reason`, {
      tags: 'ingest:lists-are-bounded',
    }, async () => {
      const { answer } = await setup(abci)
      expect(answer).toEqual({ unavailable: expect.stringMatching(reason) })
    })
  }
})

describe('a list of several pages', () => {
  it('comes from one endpoint, even if another one becomes faster', {
    tags: 'ingest:lists-are-bounded',
  }, async () => {
    const pages = (request: StateRequest) =>
      keyIn(request) < 6 ? list(['one'], String(keyIn(request) + 1)) : list(['two'])
    let requests = 0
    const slowing = { abci: pages, delayMs: () => (requests++ < 2 ? 0 : 150) }
    const { answer, requestCounts } = await setupDelayed(slowing, {
      abci: pages,
      delayMs: () => 20,
    })
    expect(answer).toMatchObject({ value: { length: 7 } })
    expect(requestCounts).toEqual([7, 0])
  })
})
