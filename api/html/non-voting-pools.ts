// The validators that have not voted, by bonded tokens.
import { type Html, html } from '../../infra/html/html.ts'
import { pluralize } from '../in-words.ts'
import type { PageContext, PageData } from '../resources/page-data.ts'
import { folded, numbersHead, numbersRow, scrollable, section } from './elements.ts'
import { amount } from './parts.ts'
import { poolLink } from './pool-votes.ts'

const SHOWN = 15

type NonVotingPools = NonNullable<PageData['proposal']['extras']['nonVotingPools']>

const TITLE = 'Non-voting validators'

const NONE = {
  final: html`<p>No validator is known to have missed this vote.</p>`,
  open: html`<p>All bonded validators have voted.</p>`,
}

const EXPLAINED = {
  final: (total: number) =>
    `${pluralize(total, 'validator was', 'validators were')} in the tally and did not vote. ` +
    'Bonded tokens are as of the tally. Delegators who voted themselves are counted.',
  open: (total: number) =>
    `${pluralize(total, 'bonded validator has', 'bonded validators have')} not voted yet. ` +
    'Bonded tokens are as of now.',
}

const HEAD = numbersHead('Validator', 'Bonded tokens')

const poolTable = (
  pools: NonVotingPools['pools'],
  { at, label }: { at: PageContext; label: string },
): Html => {
  const rows = pools.map((pool) => numbersRow(poolLink(pool, at), amount(pool.bondedTokens, at)))
  return scrollable(label, html`<table class="narrow">${HEAD}<tbody>${rows}</tbody></table>`)
}

const sectionContent = ({ isFinal, total, pools }: NonVotingPools, at: PageContext): Html => {
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
  return html`<p>${EXPLAINED[state](total)}</p>${first}
${folds}`
}

export const nonVotingSection = ({ extras }: PageData['proposal'], at: PageContext): Html => {
  const { nonVotingPools } = extras
  if (!nonVotingPools) return html``
  return section(
    { id: 'non-voting', title: TITLE, isLive: true },
    html`
${sectionContent(nonVotingPools, at)}`,
  )
}
