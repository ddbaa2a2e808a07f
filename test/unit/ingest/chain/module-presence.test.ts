// Tests how a chain without x/gov differs from refusals, old nodes, forks and pruned states.
import * as v1beta1 from 'cosmjs-types/cosmos/gov/v1beta1/query'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../../infra/base/runtime/clock.ts'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import { withGovPackage } from '../../../../ingest/chain/gov-package.ts'
import { findGov } from '../../../../ingest/chain/module-presence.ts'
import type { AbciAnswer, ChainNode } from '../../../../ingest/comet/endpoints/node.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { type Answers, nodeWith } from '../../../support/chain/node-with.ts'
import { silentLogger } from '../../../support/process/log-lines.ts'
import type { ChainState } from '../../../support/simulator/state/chain-state.ts'

type Node = Pick<ChainNode, 'abciQuery' | 'refuse'>

const wrap = (node: Node): Node =>
  withGovPackage(node, { clock: systemClock, logger: silentLogger() })

const chainWith = (change: Partial<ChainState>): Node => {
  const chain = createMemoryChain()
  chain.add({}, (state) => void Object.assign(state, change))
  return wrap(chain)
}

const CONTROL = '/cosmos.auth.v1beta1.Query/Params'
const V1 = '/cosmos.gov.v1.Query/Params'
const V1BETA1 = '/cosmos.gov.v1beta1.Query/Params'
const none = (): Uint8Array => new Uint8Array()
const refused = (log: string) => (): AbciAnswer => ({
  kind: 'refused',
  code: 2,
  codespace: 'sdk',
  log,
})

/** Several endpoints as one node: the first that served none of the avoided responses answers. */
const poolOf = (...nodes: (Node | 'down')[]): Node => {
  const servedBy = new WeakMap<AbciAnswer, Node | 'down'>()
  return wrap({
    abciQuery: async (request, { avoid = [] } = {}) => {
      const avoided = new Set(avoid.map((answer) => servedBy.get(answer)))
      const node = nodes.find((each) => !avoided.has(each))
      if (!node || node === 'down') {
        throw new AppError('RPC_UNAVAILABLE', 'it is down', { retryable: true })
      }
      const answer = { ...(await node.abciQuery(request)) }
      servedBy.set(answer, node)
      return answer
    },
    refuse: (answers) => new Set(answers.map((each) => servedBy.get(each))).size < nodes.length,
  })
}

const withoutGov = (more: Answers = {}): Node => nodeWith({ [CONTROL]: none, ...more })

describe('a chain without x/gov', () => {
  it.each<[string, Partial<ChainState>]>([
    ['that reports no messages', {}],
    ['that reports its messages', { reflection: 'types' }],
    ['that reports its protobuf files', { reflection: 'files' }],
    [
      'that has the messages of the SDK registered',
      { reflection: 'types', unusedTypes: ['cosmos.gov'] },
    ],
  ])('is one %s', async (_, change) => {
    expect(await findGov(chainWith({ govPackage: null, ...change }), 1)).toBe('absent')
  })

  it.each<[string, Node[]]>([
    ['one endpoint', [withoutGov()]],
    ['two endpoints agree', [withoutGov(), withoutGov()]],
    [
      'nodes have other texts',
      [
        withoutGov({
          [V1]: refused('unknown service cosmos.gov.v1.Query'),
          [V1BETA1]: refused('Not Implemented'),
        }),
      ],
    ],
  ])('is one if %s', async (_, nodes) => {
    expect(await findGov(poolOf(...nodes), 1)).toBe('absent')
  })

  it('is one if all other endpoints are down', async () => {
    expect(await findGov(poolOf(withoutGov(), 'down'), 1)).toBe('absent')
  })
})

describe('a chain that has x/gov, or of which that is not known', () => {
  const params = v1beta1.QueryParamsResponse.fromPartial({
    tallyParams: { quorum: Buffer.from('400000000000000000') },
  })
  const legacy = () => v1beta1.QueryParamsResponse.encode(params).finish()

  it.each(['cosmos.gov', 'atomone.gov', 'other.gov'])('has the package %s', async (govPackage) => {
    expect(await findGov(chainWith({ govPackage, reflection: 'types' }), 1)).toBe('present')
  })

  it('has only v1beta1', async () => {
    expect(await findGov(wrap(withoutGov({ [V1BETA1]: legacy })), 1)).toBe('present')
  })

  it('reports messages of a fork whose queries have other names', async () => {
    const fork = { govPackage: null, reflection: 'types', unusedTypes: ['other.gov'] } as const
    expect(await findGov(chainWith({ ...fork, unusedTypes: ['other.gov'] }), 1)).toBe('unknown')
  })

  it.each<[string, Answers]>([
    ['all queries', {}],
    ['the query for another reason', { [CONTROL]: none, [V1]: refused('internal error') }],
    ['too many requests', { [CONTROL]: none, [V1]: refused('rate limit exceeded') }],
    ['a pruned state', { [CONTROL]: none, [V1]: () => ({ kind: 'pruned', log: 'pruned' }) }],
    [
      'queries, but serves the store of x/gov',
      { [CONTROL]: none, '/store/gov/key': () => Buffer.alloc(8, 1) },
    ],
  ])('has a node that refuses %s', async (_, answers) => {
    expect(await findGov(wrap(nodeWith(answers)), 1)).toBe('unknown')
  })

  it('has another endpoint that serves x/gov', async () => {
    const other = withoutGov({ [V1BETA1]: legacy })
    expect(await findGov(poolOf(withoutGov(), other), 1)).toBe('unknown')
  })

  it('has no endpoint that responds', async () => {
    expect(await findGov(poolOf('down'), 1)).toBe('unknown')
  })
})
