// A proposal as Markdown: explained messages, exact amounts and escaped values.
import { describe, expect, it } from 'vitest'
import { proposalMarkdown } from '../../../../api/markdown/proposal.ts'
import { createMetadata, explainAll } from '../../../support/api/explained.ts'
import { proposalData } from '../../../support/api/html-data.ts'

const AT = { baseUrl: 'https://rollcall.example', params: {} }
const SPEND = {
  '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
  authority: 'a',
  recipient: 'cosmos1r',
  amount: [{ denom: 'uatom', amount: '2500000' }],
}
const observations = [createMetadata('uatom', 'atom', 'ATOM')]

const effects = (...all: unknown[]): string => {
  const explanations = explainAll(all, { observations })
  const shown = proposalMarkdown({ ...proposalData('text'), explanations }, AT)
  return /## Messages\n\n(.*?)\n\n## /s.exec(shown)?.[1] ?? ''
}

const UNIT = { name: 'ATOM', denom: 'uatom', decimals: 6 }

describe('amounts in Markdown', () => {
  const shown = proposalMarkdown(
    { ...proposalData('text'), totalDeposit: [{ denom: 'uatom', amount: '2500001' }] },
    { ...AT, unit: UNIT },
  )

  it('are exact, in the display unit, with its factor to the base unit', () => {
    expect(shown).toContain('| yes | 0.0006 ATOM |')
    expect(shown).toContain('- Deposit: 2.500001 ATOM')
    expect(shown).toContain('| 0.000900000000000000000001 ATOM |')
    expect(shown).toContain('the JSON has uatom (1 ATOM = 1000000 uatom)')
  })

  it('are in the base unit if the chain has no display unit', () => {
    const plain = proposalMarkdown(proposalData('text'), AT)
    expect(plain).toContain('| yes | 600 |')
    expect(plain).toContain("Amounts are in the chain's base unit.")
  })
})

describe('a page of Markdown', () => {
  const renderPage = (totalItems: number, totalPages: number) => {
    const { votes } = proposalData('text')
    const page = { ...votes.page, totalItems, totalPages }
    return proposalMarkdown({ ...proposalData('text'), votes: { ...votes, page } }, AT)
  }

  it('uses the singular and the plural for validators and pages', () => {
    expect(renderPage(1, 1)).toContain('\n1 validator (pool). In the order of first appearance')
    expect(renderPage(141, 2)).toContain('\n141 validators (pools) (page 1 of 2). ')
  })
})

describe('a proposal as Markdown', () => {
  it('has the titles of its messages with their types', () => {
    const messageTypes = [SPEND['@type'], '/x.y.MsgUnknown']
    const explanations = explainAll([SPEND], { observations })
    const shown = proposalMarkdown({ ...proposalData('text'), messageTypes, explanations }, AT)
    expect(shown).toContain(
      '- Messages: Community pool spend (/cosmos.distribution.v1beta1.MsgCommunityPoolSpend), /x.y.MsgUnknown',
    )
  })

  it('has a section for each message, with its summary and its details in display units', () => {
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

  it('states that nothing is executed if there are no messages', () => {
    expect(effects()).toBe('No messages: if this proposal passes, nothing is executed.')
  })

  it('escapes links and markup in messages', { tags: 'api:chain-texts-stay-text' }, () => {
    const plan = { name: '[x](https://evil.example)', height: '5', info: 'https://evil.example/' }
    const shown = effects({ '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade', plan })
    expect(shown).toContain('- Name: \\[x\\](https\\://evil.example)')
    expect(shown).toContain('- Information: https\\://evil.example/')
  })
})
