// Tests when a limitation of the chain begins and ends, and that each is logged once.
import { describe, expect, it } from 'vitest'
import { unavailable } from '../../../../ingest/chain/answer.ts'
import { applyHeight, createLimitations } from '../../../../ingest/heights/limitations.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'

type Height = Parameters<typeof applyHeight>[1]

const setup = () => {
  const { logger, lines } = recordingLogger()
  const limitations = createLimitations(undefined, logger)
  let at = 0
  const apply = (change: Partial<Height> & { hasUnverifiedTxs?: true } = {}): string[] => {
    const { hasUnverifiedTxs, ...more } = change
    at += 1
    const block = { height: at, ...(hasUnverifiedTxs ? { hasUnverifiedTxs } : {}) }
    applyHeight(limitations, {
      block,
      gov: undefined,
      staking: undefined,
      proofs: undefined,
      events: [],
      isReported: undefined,
      ...more,
    })
    return limitations.list().map(({ kind, since }) => `${kind} ${since}`)
  }
  const warnings = () => lines.filter(({ level }) => level === 'warn')
  return { apply, warnings, limitations }
}

const late = { lightBlock: unavailable('late') }
const unverifiable = { ...late, unverifiable: 'no validator signed it' }
const good = { lightBlock: { value: {} } } as unknown as Height['proofs']

describe('the limitations of a chain', () => {
  it.each<[string, Parameters<ReturnType<typeof setup>['apply']>[0], string]>([
    ['x/gov is absent', { gov: 'absent' }, 'no_gov 1'],
    ['x/staking is absent', { staking: 'absent' }, 'no_staking 1'],
    ['a header cannot be verified', { proofs: unverifiable }, 'unverified_headers 1'],
    ['transactions cannot be verified', { hasUnverifiedTxs: true }, 'unverified_transactions 1'],
  ])('begin when %s, and are logged once', (_, change, expected) => {
    const { apply, warnings, limitations } = setup()
    expect(apply(change)).toEqual([expected])
    expect(apply(change)).toEqual([expected])
    expect(apply()).toEqual([expected])
    expect(warnings()).toHaveLength(1)
    expect(limitations.describe()).toHaveLength(1)
  })

  it.each<[string, Partial<Height>, Partial<Height>]>([
    ['x/gov is present', { gov: 'absent' }, { gov: 'present' }],
    ['x/staking is present', { staking: 'absent' }, { staking: 'present' }],
    ['a header is verified', { proofs: unverifiable }, { proofs: good }],
    ['tallies agree again', { isReported: true }, { isReported: false }],
  ])('end when %s, and may begin again', (_, begins, ends) => {
    const { apply, warnings } = setup()
    apply(begins)
    expect(apply(ends)).toEqual([])
    expect(apply(begins)).toEqual([expect.stringContaining(' 3')])
    expect(warnings()).toHaveLength(3)
  })

  it('do not change with an answer that shows nothing', () => {
    const { apply } = setup()
    expect(apply({ gov: 'unknown', proofs: late })).toEqual([])
    apply({ gov: 'absent', proofs: unverifiable, isReported: true })
    expect(apply({ gov: 'unknown', proofs: late })).toHaveLength(3)
  })
})
