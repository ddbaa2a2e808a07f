// The words that a reader sees for each status.
import { h } from 'preact'
import { expect, it } from 'vitest'
import { PROPOSAL_STATUSES } from '../../../../api/schemas/proposal.ts'
import { renderMarkdown } from '../../../../api/view/markdown.ts'
import { Status } from '../../../../api/view/parts.tsx'
import { statusName } from '../../../../api/words/status.ts'
import { renderMarkup } from '../../../../infra/base/html/render.tsx'

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
  expect(renderMarkup(h(Status, { of: outcome }))).toContain(`>${sign} </span>${name}</span>`)
  expect(renderMarkdown(h(Status, { of: outcome }), { baseUrl: '', params: {} })).toBe(
    name?.toLowerCase(),
  )
})
