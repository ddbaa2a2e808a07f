// Tests changes of the params module by legacy proposals, compared with observed state.
import { describe, expect, it } from 'vitest'
import { readParameterChanges } from '../../../../projections/fold/parameter-changes.ts'
import { changed, createContext, only, unknown } from '../../../support/fold/parameter-changes.ts'

describe('a legacy change of parameters', () => {
  const LEGACY = '/cosmos.params.v1beta1.ParameterChangeProposal'
  const legacy = (...changes: unknown[]) => ({
    '@type': '/cosmos.gov.v1.MsgExecLegacyContent',
    content: { '@type': LEGACY, title: '', description: '', changes },
  })
  const stored = (subspace: string, key: string, value: string) => ({
    query: '/cosmos.params.v1beta1.Query/Params',
    request: { key, subspace },
    response: { param: { subspace, key, value } },
  })

  it('has the JSON of both values, found by subspace and key', () => {
    const message = legacy(
      { subspace: 'staking', key: 'MaxValidators', value: '150' },
      { subspace: 'baseapp', key: 'BlockParams', value: '{"max_gas":"7"}' },
      { subspace: 'staking', key: 'Same', value: ' "1" ' },
    )
    const context = createContext(
      stored('baseapp', 'BlockParams', '{"max_gas":"-1"}'),
      stored('staking', 'MaxValidators', '100'),
      stored('staking', 'Same', '"1"'),
    )
    expect(readParameterChanges([message], context)).toEqual(
      only(
        changed(0, 'staking/MaxValidators', 100, 150),
        changed(0, 'baseapp/BlockParams', { max_gas: '-1' }, { max_gas: '7' }),
      ),
    )
  })

  it.each([
    ['is not JSON', 'plain text'],
    ['has more digits than a number', '12345678901234567890'],
    ['is nested too deep to be written again', `${'['.repeat(9_000)}${']'.repeat(9_000)}`],
  ])('keeps the text of a value that %s', (_, value) => {
    const message = legacy({ subspace: 'a', key: 'B', value })
    expect(readParameterChanges([message], createContext(stored('a', 'B', '"1"')))).toEqual(
      only(changed(0, 'a/B', '1', value)),
    )
  })

  it('is known for content that is a message of its own, as in SDK 0.45', () => {
    const { content } = legacy({ subspace: 'a', key: 'B', value: '2' })
    expect(readParameterChanges([content], createContext(stored('a', 'B', '1')))).toEqual(
      only(changed(0, 'a/B', 1, 2)),
    )
  })

  it.each([
    ['was not observed', legacy({ subspace: 'a', key: 'C', value: '2' }), /not observed/],
    ['has no value', legacy({ subspace: 'a', key: 'B' }), /without subspace, key or value/],
    ['is not an object', legacy(null), /without subspace, key or value/],
    ['is not decoded', { '@type': LEGACY, value: 'AAAA' }, /not decoded/],
  ])('is not known if a change %s', (_, message, reason) => {
    expect(readParameterChanges([message], createContext(stored('a', 'B', '1')))).toEqual(
      unknown(reason),
    )
  })
})
