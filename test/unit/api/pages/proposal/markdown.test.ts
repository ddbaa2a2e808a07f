// A proposal as Markdown: explained messages, exact amounts and escaped values.
import { describe, expect, it } from 'vitest'
import { NOTHING_EXECUTED } from '../../../../../api/in-words.ts'
import { proposalPage } from '../../../../../api/pages/proposal/page.ts'
import { ATOM, explainAll } from '../../../../support/api/explained.ts'
import { proposalData, tally } from '../../../../support/api/html-data.ts'
import { toMarkdownPage } from '../../../../support/api/render-pages.ts'

const proposalMarkdown = toMarkdownPage(proposalPage)
const AT = { baseUrl: 'https://rollcall.example', params: {} }
const SPEND = {
  '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
  authority: 'a',
  recipient: 'cosmos1r',
  amount: [{ denom: 'uatom', amount: '2500000' }],
}

type Messages = ReturnType<typeof proposalData>['messages']

const effects = (...all: unknown[]): string => {
  const explanations = explainAll(all, { displayUnit: ATOM })
  const shown = proposalMarkdown(
    { ...proposalData('text'), messages: all as Messages, explanations },
    AT,
  )
  return /## What it does\n\n(.*?)\n\n## /s.exec(shown)?.[1] ?? ''
}

const UNIT = { name: 'ATOM', denom: 'uatom', decimals: 6 }

describe('texts in Markdown', () => {
  it('say that they are from the metadata', () => {
    const texts = {
      titleSource: 'metadata',
      summarySource: 'metadata',
      authors: ['Ada'],
      forumUrl: 'https://forum.example.org/t/1',
    } satisfies Partial<ReturnType<typeof proposalData>>
    const shown = proposalMarkdown({ ...proposalData('text'), ...texts }, AT)
    expect(shown).toContain('The title is from the metadata of the proposal.')
    expect(shown).toContain('The description is from the metadata of the proposal.')
    expect(shown).toContain('- Authors (from the metadata): Ada')
    expect(shown).toContain('- Forum (from the metadata): https\\://forum')
    expect(proposalMarkdown(proposalData('text'), AT)).not.toContain('is from the metadata')
  })

  it('have the line ends of a description that was escaped once too often', () => {
    const summary = 'First.\\n\\n* tested\\n* small'
    const shown = proposalMarkdown({ ...proposalData('text'), summary }, AT)
    expect(shown).toContain('First.\n\n* tested\n* small')
  })
})

describe('amounts in Markdown', () => {
  const shown = proposalMarkdown(
    { ...proposalData('text'), totalDeposit: [{ denom: 'uatom', amount: '2500001' }] },
    { ...AT, unit: UNIT },
  )

  it('are exact, in the display unit, with its factor to the base unit', () => {
    expect(shown).toContain('| Yes | 0.0006 ATOM |')
    expect(shown).toContain('- Deposit: 2.500001 ATOM')
    expect(shown).toContain('| 0.000900000000000000000001 ATOM |')
    expect(shown).toContain('the JSON has uatom (1 ATOM = 1000000 uatom)')
  })

  it('have no line for a veto on a chain without one, and say so', () => {
    const three = { ...tally, noWithVeto: null, vetoThreshold: null }
    const without = proposalMarkdown({ ...proposalData('text'), tally: three }, AT)
    expect(without).toContain('this chain has no veto')
    expect(without.split('## Check the count')[0]).not.toContain('| No with veto |')
  })

  it('have plain decimals, which no list begins with', () => {
    const plain = proposalMarkdown(proposalData('text'), AT)
    expect(plain).toContain('| 900.000000000000000001 |')
  })

  it('are in the base unit if the chain has no display unit', () => {
    const plain = proposalMarkdown(proposalData('text'), AT)
    expect(plain).toContain('| Yes | 600 |')
    expect(plain).toContain('Amounts are in the smallest unit of the chain.')
  })
})

describe('a page of Markdown', () => {
  const renderPage = (totalItems: number, totalPages: number) => {
    const { votes } = proposalData('text')
    const page = { ...votes.page, totalItems, totalPages }
    return proposalMarkdown({ ...proposalData('text'), votes: { ...votes, page } }, AT)
  }

  it('uses the singular and the plural for validators and pages', () => {
    expect(renderPage(1, 1)).toContain('\n1 validator. ')
    expect(renderPage(141, 2)).toContain('\n141 validators, page 1 of 2. ')
  })
})

describe('a proposal as Markdown', () => {
  it('begins with its state and its dates, then the tally', () => {
    const shown = proposalMarkdown(proposalData('text'), AT)
    const parts = [
      '# Proposal 7',
      '- Status: **',
      '- Submitted: 2026-',
      '## Tally',
      '## Description',
    ]
    const found = parts.map((part) => shown.indexOf(part))
    expect(found).not.toContain(-1)
    expect(found).toEqual(found.toSorted((a, b) => a - b))
  })

  it('has the planned end of a vote that ended early', () => {
    const data = proposalData('text')
    const votingEndTime = '2027-01-01T00:00:00.000Z'
    const closedTime = '2026-11-21T08:00:00.000Z'
    const canceled = { ...data, status: 'canceled', outcomeReason: null, votingEndTime, closedTime }
    const shown = proposalMarkdown(canceled, AT)
    expect(shown).toContain(`- Planned end of voting: ${votingEndTime}`)
    expect(shown).not.toContain('Voting ended')
  })

  it('explains every message, also those that the HTML leaves out', () => {
    const all = Array.from({ length: 1_000 }, () => SPEND)
    expect(effects(...all)).toContain('### Message 1000: Community pool spend')
  })

  it('has the titles of its messages with their types', () => {
    const messageTypes = [SPEND['@type'], '/x.y.MsgUnknown']
    const explanations = explainAll([SPEND], { displayUnit: ATOM })
    const shown = proposalMarkdown({ ...proposalData('text'), messageTypes, explanations }, AT)
    expect(shown).toContain(
      '- What it does: Community pool spend (/cosmos.distribution.v1beta1.MsgCommunityPoolSpend), /x.y.MsgUnknown',
    )
  })

  it('has a section for each message, with its summary and its details in display units', () => {
    expect(effects(SPEND).split('\n\n').slice(2)).toEqual([
      '### Message 1: Community pool spend',
      'Pays 2.5 ATOM from the community pool to one account.',
      ['- Amount: 2.5 ATOM', '- Recipient: cosmos1r'].join('\n'),
      'Type: /cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
    ])
  })

  it('states that nothing is executed if there are no messages', () => {
    expect(effects()).toBe(NOTHING_EXECUTED)
  })

  it('escapes links and markup in messages', () => {
    const plan = { name: '[x](https://evil.example)', height: '5', info: 'https://evil.example/' }
    const shown = effects({ '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade', plan })
    expect(shown).toContain('- Name: \\[x\\](https\\://evil.example)')
    expect(shown).toContain('- Information: https\\://evil.example/')
  })
})

describe('a proposal that closed before the first indexed height, in Markdown', () => {
  const data = proposalData('text')
  const limits = { quorum: null, threshold: null, vetoThreshold: null }
  const unknown = { turnout: null, bondedTokens: null, poolsVoted: null, ballots: null }
  const shown = proposalMarkdown(
    {
      ...data,
      status: 'passed',
      round: null,
      closedTime: null,
      tally: { ...tally, ...unknown, ...limits, final: true },
      votes: { ...data.votes, items: [], page: { ...data.votes.page, totalItems: 0 } },
    },
    AT,
  )

  it('has unknown votes, and not none', () => {
    expect(shown).toContain('The votes are not known.')
    expect(shown).not.toContain('No votes')
  })

  it('marks each unknown limit and time as not known', () => {
    for (const line of [
      '- Passed: not known\n',
      '- Turnout: not known; quorum: not known\n',
      '; threshold: not known\n',
      '; veto: not known\n',
    ]) {
      expect(shown).toContain(line)
    }
  })
})

describe('the votes of a proposal in Markdown', () => {
  const data = proposalData('text')

  it('have the number of their page', () => {
    const page = { ...data.votes.page, number: 1, totalItems: 150, totalPages: 2 }
    const shown = proposalMarkdown({ ...data, votes: { ...data.votes, page } }, AT)
    expect(shown).toContain('150 validators, page 2 of 2.')
  })

  it('are not denied by a page after the last one', () => {
    const page = { ...data.votes.page, number: 9, totalItems: 41, totalPages: 1 }
    const shown = proposalMarkdown({ ...data, votes: { ...data.votes, items: [], page } }, AT)
    expect(shown).not.toContain('No votes')
  })
})
