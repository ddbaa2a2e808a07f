// The validators that have not voted, by bonded tokens.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { folded, numbersHead, numbersRow, scrollable, section } from '../document/html/elements.ts'
import { amount, poolLink } from '../document/html/inline.ts'
import { pluralize } from '../in-words.ts'
import type { PageData } from '../resources/page-data.ts'

const SHOWN = 15

type NonVotingPools = NonNullable<PageData['proposal']['extras']['nonVotingPools']>

const TITLE = 'Non-voting validators'

const NONE = {
  final: html`<p>No validator is known to have missed this vote.</p>`,
  open: html`<p>All active validators have voted.</p>`,
}

const EXPLAINED = {
  final: (total: number) =>
    `${pluralize(total, 'validator was', 'validators were')} in the tally and did not vote. ` +
    'The stake is that of the tally. It includes delegators who voted themselves.',
  open: (total: number) =>
    `${pluralize(total, 'active validator has', 'active validators have')} not voted yet. ` +
    'The stake is the current one.',
}

const HEAD = numbersHead('Validator', 'Stake')

const poolTable = (
  pools: NonVotingPools['pools'],
  { at, label }: { at: PageContext; label: string },
): Html => {
  const rows = pools.map((pool) => numbersRow(poolLink(pool, at), amount(pool.bondedTokens, at)))
  return scrollable(label, html`<table class="narrow">${HEAD}<tbody>${rows}</tbody></table>`)
}

/** Only a validator whose delegators voted has a row above, so its filter finds fewer of them. */
const rowsAbove = ({ votes }: PageData['proposal'], { pools, total }: NonVotingPools): string => {
  if (votes.page.totalPages > 1 || pools.length < total) return ''
  const missing = new Set(pools.map(({ operatorAddress }) => operatorAddress))
  const listed = votes.items.filter(
    ({ vote, pool }) => vote === null && missing.has(pool.operatorAddress),
  ).length
  if (listed === total) return ''
  const some =
    listed === 0 ? 'None of them has' : `${listed} of them ${listed === 1 ? 'has' : 'have'}`
  return ` ${some} a row in the table above: a row needs a vote of the validator or of a delegator.`
}

const sectionContent = (
  proposal: PageData['proposal'],
  found: NonVotingPools,
  at: PageContext,
): Html => {
  const { isFinal, total, pools } = found
  const state = isFinal ? 'final' : 'open'
  if (total === 0) return NONE[state]
  const first = poolTable(pools.slice(0, SHOWN), { at, label: `Table: ${TITLE}` })
  const rest = pools.slice(SHOWN)
  const folds =
    rest.length > 0 &&
    folded(
      'non-voting-rest',
      `${rest.length} more`,
      poolTable(rest, { at, label: `Table: ${TITLE}, continued` }),
    )
  return html`<p>${EXPLAINED[state](total)}${rowsAbove(proposal, found)}</p>${first}
${folds}`
}

export const nonVotingSection = (proposal: PageData['proposal'], at: PageContext): Html => {
  const { nonVotingPools } = proposal.extras
  if (!nonVotingPools) return html``
  return section(
    { id: 'non-voting', title: TITLE, isLive: true },
    html`
${sectionContent(proposal, nonVotingPools, at)}`,
  )
}
