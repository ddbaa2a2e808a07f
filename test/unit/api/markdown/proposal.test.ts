// A proposal as Markdown says what each of its messages does, with values that are never markup.
import { describe, expect, it } from 'vitest'
import { proposalMarkdown } from '../../../../api/markdown/proposal.ts'
import { explainAll, metadataOf } from '../../../support/api/explained.ts'
import { proposalData } from '../../../support/api/html-data.ts'

const AT = { baseUrl: 'https://rollcall.example', params: {} }
const SPEND = {
  '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
  ...{ authority: 'a', recipient: 'cosmos1r', amount: [{ denom: 'uatom', amount: '2500000' }] },
}
const observations = [metadataOf('uatom', 'atom', 'ATOM')]

const effects = (...all: unknown[]): string => {
  const explanations = explainAll(all, { observations })
  const shown = proposalMarkdown({ ...proposalData('text'), explanations }, AT)
  return /## What it does if it passes\n\n(.*?)\n\n## /s.exec(shown)?.[1] ?? ''
}

describe('a proposal as Markdown', () => {
  it('has a section for each message, with its sentence and its details in display units', () => {
    expect(effects(SPEND).split('\n\n').slice(1)).toEqual([
      '### 1. Community pool spend',
      'Pays 2.5 ATOM from the community pool to one account.',
      [
        '- Type: /cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
        '- Amount: 2.5 ATOM',
        '- Recipient: cosmos1r',
        '- Share of the pool: Not known: the state of the chain was not read',
      ].join('\n'),
    ])
  })

  it('says of a proposal without messages that it does nothing by itself', () => {
    expect(effects()).toBe('Nothing by itself: it has no messages.')
  })

  it('quotes links and marks of messages as text', { tags: 'api:chain-texts-stay-text' }, () => {
    const plan = { name: '[x](https://evil.example)', height: '5', info: 'https://evil.example/' }
    const shown = effects({ '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade', plan })
    expect(shown).toContain('- Name: \\[x\\](https\\://evil.example)')
    expect(shown).toContain('- Information: https\\://evil.example/')
  })
})
