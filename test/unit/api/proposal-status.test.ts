// The words that a reader sees for each status.
import { expect, it } from 'vitest'
import { outcomeTag } from '../../../api/document/html/inline.ts'
import { status as showStatus } from '../../../api/document/line.ts'
import { renderInline } from '../../../api/document/markdown/render.ts'
import { outcomeName, statusName } from '../../../api/proposal-status.ts'
import { PROPOSAL_STATUSES } from '../../../api/schemas/proposal.ts'
import { markupOf } from '../../../infra/base/html/html.ts'

const WORDS: Readonly<Record<string, readonly [name: string, sign: string]>> = {
  deposit_period: ['Deposit period', '○'],
  voting_period: ['Voting period', '●'],
  passed: ['Passed', '✓'],
  rejected: ['Rejected', '✕'],
  failed: ['Execution failed', '!'],
  canceled: ['Canceled', '–'],
  dropped: ['Dropped', '–'],
  vetoed: ['Vetoed', '–'],
}

it.each(PROPOSAL_STATUSES)('the status %s has its own words and sign in each format', (status) => {
  const [name, sign] = WORDS[status] ?? []
  const outcome = { status, outcomeReason: null }
  expect(statusName(status)).toBe(name)
  expect(markupOf(outcomeTag(outcome))).toContain(`>${sign} </span>${name}</span>`)
  expect(renderInline(showStatus(outcome), { baseUrl: '', params: {} })).toBe(name?.toLowerCase())
})

it.each([
  ['quorum_not_reached', 'Rejected: quorum not reached'],
  ['vetoed', 'Rejected: vetoed'],
  ['threshold_not_met', 'Rejected: threshold not met'],
] as const)('a rejection by %s says its reason', (outcomeReason, words) => {
  expect(outcomeName({ status: 'rejected', outcomeReason })).toBe(words)
})
