// The status page: how current the data is, and what the service guarantees.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { fact } from '../document/html/elements.ts'
import { link, reasonText, timestamp, UNKNOWN, untrustedText } from '../document/html/inline.ts'
import { describeHistory, durationInWords, pluralize } from '../in-words.ts'
import type { PageData } from '../resources/page-data.ts'
import { silenceText } from '../site-notice.ts'
import { STATUS_SCRIPTS } from './assets.ts'
import { layout } from './layout.ts'

type Health = PageData['status']

const STATUS_MESSAGES: Readonly<
  Record<Health['status'], readonly [sign: string, label: string, means: string]>
> = {
  ok: ['✓', 'Up to date', 'Data is at most ten seconds and five blocks behind the chain.'],
  catching_up: [
    '…',
    'Catching up',
    'Indexing is behind the chain and is catching up. Data is correct as of the indexed height.',
  ],
  degraded: [
    '!',
    'Not up to date',
    'No new heights are indexed. Data is correct as of the indexed height.',
  ],
}

const AS_OF_LAST = 'Data is correct as of the last block.'

/** Without scripts, the page reloads itself. It has no input that a reload could lose. */
const AUTO_RELOAD = html`<noscript><meta http-equiv="refresh" content="30"></noscript>`

const secondsText = (seconds: number | null): Html => {
  if (seconds === null) return UNKNOWN
  if (seconds < 1) return html`less than a second`
  return html`${pluralize(Math.round(seconds), 'second')}`
}

const heightText = ({ height, time }: NonNullable<Health['chain']>): Html =>
  html`${height}, ${timestamp(time)}`

const behindText = ({ heights, seconds }: Health['behind']): Html => {
  if (heights === null) return UNKNOWN
  return html`${heights}${seconds !== null && seconds > 0 && html` (${durationInWords(seconds)})`}`
}

const healthFacts = (health: Health): Html => {
  const { chain, tip, behind, lagEvents } = health
  return html`<dl class="facts" id="figures">
${fact('Chain', chain ? untrustedText(chain.chainId) : UNKNOWN)}
${fact('Indexed height', chain ? heightText(chain) : 'none yet')}
${fact('Chain height', tip ?? UNKNOWN)}
${fact('Blocks behind', behindText(behind))}
${fact('Pending events', lagEvents ?? UNKNOWN)}
${fact('Indexing lag', secondsText(health.freshnessSeconds))}
${fact('Version', health.version)}
</dl>`
}

const COMPLETE = html`Every vote that the chain counts is included: \
votes of accounts, contracts and groups. \
What happened before the first block that Rollcall has is marked as not known.`

const EXACT = html`Amounts are exact, to the last unit. \
A rounded amount always comes with the exact amount. \
When a vote closes, the tally is recomputed and compared with the result of the chain.`

const REPEATABLE = html`The evidence of each count is public, \
so you can recompute it without trusting this page.`

const CONSISTENT = html`A page shows one state of the chain, and says of which block. \
Unknown values are marked as not known, never shown as 0.`

const STABLE_PAGES = html`From page to page of a list, no item is skipped or repeated.`

const OPEN = html`You need no account. So that all readers are served, \
one address can load only so many pages a minute.`

/** The status script replaces its content. */
const limitationList = ({ limitations }: Health): Html =>
  html`<div id="limitations">${
    limitations.length > 0 &&
    html`<h2>Limitations of this chain</h2>
<ul>${limitations.map(
      ({ message, since, reason }) =>
        html`<li>${message} Since block ${since}: ${reasonText(reason)}</li>`,
    )}</ul>`
  }</div>`

const historySection = ({ history }: Health): Html =>
  html`<div id="history">${
    history !== null &&
    html`<h2>History</h2>
<p>${describeHistory(history)}${history.reason !== null && html` Reason: ${untrustedText(history.reason)}.`}</p>`
  }</div>`

const GUARANTEES = html`<h2>Guarantees</h2>
<dl class="guarantees">
${fact('Complete', COMPLETE)}
${fact('Exact', EXACT)}
${fact('Can be recomputed', REPEATABLE)}
${fact('Consistent', CONSISTENT)}
${fact('Stable lists', STABLE_PAGES)}
${fact('Open to all', OPEN)}
${fact('Read only', 'Rollcall never votes, signs or moves funds.')}
</dl>`

const forPrograms = (at: PageContext): Html =>
  html`<p>For programs: ${link('/api/health', 'health as JSON', at)} \
and the ${link('/docs', 'API reference', at)}.</p>`

const statusMessage = ({ status, noBlockSince }: Health, { isDemo }: PageContext): Html => {
  const [sign, label, means] =
    noBlockSince === null
      ? STATUS_MESSAGES[status]
      : ['!', 'No new block', `${silenceText(noBlockSince, isDemo)} ${AS_OF_LAST}`]
  return html`<div id="freshness" role="status"><p class="freshness ${status}">\
<span aria-hidden="true">${sign}</span> <strong>${label}</strong></p>
<p>${means}</p></div>`
}

export const statusHtml = (health: Health, at: PageContext): string =>
  layout(
    {
      title: 'Status',
      description:
        'How current the data is, how far it is behind the chain, and what the service guarantees.',
      path: '/status',
      json: '/api/health',
      scripts: STATUS_SCRIPTS,
      head: AUTO_RELOAD,
      asOf: health.chain,
      main: html`<h1>Status</h1>
${statusMessage(health, at)}
${healthFacts(health)}
${limitationList(health)}
${historySection(health)}
${GUARANTEES}
${forPrograms(at)}`,
    },
    at,
  )
