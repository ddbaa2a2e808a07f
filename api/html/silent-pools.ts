// Who has not voted: the pools without a vote of their own, most stake first.
import { type Html, html } from '../../infra/html/html.ts'
import type { PageAt, PageData } from '../resources/page-data.ts'
import { folded, numberCell, rowHead, scrollable, section, tableHead } from './elements.ts'
import { amount } from './parts.ts'
import { poolLink } from './pool-votes.ts'

const SHOWN = 15

type Silent = NonNullable<PageData['proposal']['extras']['silent']>

const TITLES = { final: 'Who did not vote', open: 'Who has not voted yet' }

const NONE = {
  final: html`<p>No pool that is known to have missed it.</p>`,
  open: html`<p>Every bonded pool has voted.</p>`,
}

const EXPLAINED = {
  final:
    'pools were in the tally without a vote of their own. ' +
    'Their stake is as of the tally; delegators who voted themselves are counted above.',
  open: 'bonded pools have no vote of their own so far. Their stake is what is bonded now.',
}

const COLUMNS = [{ name: 'Pool' }, { name: 'Stake', isNumber: true }]

const poolRow = (pool: Silent['pools'][number], at: PageAt): Html =>
  html`<tr>${rowHead(poolLink(pool, at))}${numberCell(amount(pool.bondedTokens, at))}</tr>`

const tableOf = (pools: Silent['pools'], { at, label }: { at: PageAt; label: string }): Html => {
  const rows = pools.map((pool) => poolRow(pool, at))
  return scrollable(
    label,
    html`<table class="narrow">${tableHead(COLUMNS)}<tbody>${rows}</tbody></table>`,
  )
}

const contentOf = ({ isFinal, total, pools }: Silent, at: PageAt): Html => {
  const state = isFinal ? 'final' : 'open'
  if (total === 0) return NONE[state]
  const title = TITLES[state]
  const first = tableOf(pools.slice(0, SHOWN), { at, label: `${title}: pools` })
  const rest = pools.slice(SHOWN)
  const folds =
    rest.length > 0 &&
    folded('silent-rest', `${rest.length} more`, tableOf(rest, { at, label: `${title}, the rest` }))
  return html`<p>${total} ${EXPLAINED[state]}</p>${first}
${folds}`
}

export const silentSection = ({ extras }: PageData['proposal'], at: PageAt): Html => {
  const { silent } = extras
  if (!silent) return html``
  const title = TITLES[silent.isFinal ? 'final' : 'open']
  return section(
    { id: 'silent', title, isLive: true },
    html`
${contentOf(silent, at)}`,
  )
}
