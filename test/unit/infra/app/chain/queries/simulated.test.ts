// Tests what is special about a chain: another package of x/gov, no x/staking, refused types, reported messages, its store.
import { QueryProposalRequest } from 'cosmjs-types/cosmos/gov/v1/query'
import { describe, expect, it } from 'vitest'
import { answerQuery } from '../../../../../../infra/app/chain/answer-query.ts'
import { createSimulatedQuery } from '../../../../../../infra/app/chain/queries/simulated.ts'
import {
  type ChainState,
  createState,
  proposalAt,
} from '../../../../../../infra/app/chain/state/chain-state.ts'
import { createView } from '../../../../../../infra/app/chain/state/simulated-view.ts'
import { proposalKey } from '../../../../../../infra/base/proof/proposal.ts'

const setup = (variant: Partial<ChainState>) => {
  const state = { ...createState(), ...variant }
  for (const id of ['1', '2', '10']) state.proposals.set(id, proposalAt(id, 1, 2))
  const view = createView(state)
  return (path: string, data: Uint8Array = new Uint8Array()) =>
    answerQuery(
      { path, data, height: 0n, prove: false },
      { tip: 5, stateAt: () => view, findQuery: () => createSimulatedQuery(path) },
    )
}

const request = (proposalId: bigint) => QueryProposalRequest.encode({ proposalId }).finish()
const UNKNOWN = { code: 6, log: 'unknown query path: unknown request' }

describe('a simulated chain', () => {
  it('answers x/gov only in its own package', () => {
    const ask = setup({ govPackage: 'atomone.gov' })
    expect(ask('/atomone.gov.v1.Query/Proposal', request(1n))).toMatchObject({ code: 0 })
    expect(ask('/cosmos.gov.v1.Query/Proposal', request(1n))).toMatchObject(UNKNOWN)
  })

  it('refuses queries of modules that it lacks', () => {
    const ask = setup({ govPackage: null, lacksStaking: true })
    expect(ask('/cosmos.gov.v1.Query/Proposal', request(1n))).toMatchObject(UNKNOWN)
    expect(ask('/cosmos.staking.v1beta1.Query/Pool')).toMatchObject(UNKNOWN)
    expect(ask('/store/gov/key', proposalKey(1n)).log).toMatch(/no such store: gov/)
  })

  it('refuses a proposal of an unregistered type and each list, but has it in its store', () => {
    const ask = setup({ unregistered: new Set(['2']) })
    const refusal = { code: 1, codespace: 'undefined' }
    expect(ask('/cosmos.gov.v1.Query/Proposal', request(2n))).toMatchObject(refusal)
    expect(ask('/cosmos.gov.v1.Query/Proposals')).toMatchObject(refusal)
    expect(ask('/cosmos.gov.v1.Query/Proposal', request(1n))).toMatchObject({ code: 0 })
    expect(ask('/store/gov/key', proposalKey(2n)).value).not.toBeNull()
  })

  it('has the next ID after the highest one in its store', () => {
    const { value } = setup({})('/store/gov/key', Uint8Array.of(3))
    expect(Buffer.from(value ?? '', 'base64').readBigUInt64BE()).toBe(11n)
  })

  it.each([
    ['types', '/cosmos.base.reflection.v1beta1.ReflectionService/ListImplementations'],
    ['files', '/cosmos.reflection.v1.ReflectionService/FileDescriptors'],
  ] as const)('reports its messages as %s, and only so', (reflection, path) => {
    const ask = setup({ reflection, govPackage: 'shentu.gov' })
    expect(Buffer.from(ask(path).value ?? '', 'base64').toString()).toContain(
      'shentu.gov.v1.MsgVote',
    )
    expect(setup({})(path)).toMatchObject(UNKNOWN)
  })
})
