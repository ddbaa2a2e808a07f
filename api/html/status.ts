// The status page: how current the data is, and what the service guarantees.
import { type Html, html } from '../../infra/html/html.ts'
import { durationInWords, pluralize } from '../in-words.ts'
import type { PageContext, PageData } from '../resources/page-data.ts'
import { STATUS_SCRIPT } from './assets.ts'
import { fact } from './elements.ts'
import { layout } from './layout.ts'
import { link, timestamp, UNKNOWN, untrustedText } from './parts.ts'

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
    'No new heights are indexed, or the chain has halted. Data is correct as of the indexed height.',
  ],
}

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
Data from before the first indexed height is marked as not known.`

const EXACT = html`Amounts are exact, to the last unit. \
A rounded amount always comes with the exact amount. \
When a vote closes, the tally is recomputed and compared with the result of the chain.`

const REPLAYABLE = html`Every fact is in an append-only log. \
The evidence of each tally is public, \
so you can recompute it without trusting this page.`

const CONSISTENT = html`A page shows one state of the chain, and the height of that state. \
Unknown values are marked as not known, never shown as 0.`

const STABLE_PAGINATION = html`When you page through a list, no item is skipped or repeated. \
A cursor stays valid for 15 minutes after a rebuild of the tables.`

const CACHEABLE = html`Each response has an <code>ETag</code>. \
A client with a current copy gets 304 without a body.`

const FAIR = html`No account or token is required. \
Each IP address has a quota. \
The <code>RateLimit</code> header of each response has the remaining quota.`

/** The status script replaces its content. */
const limitationList = ({ limitations }: Health): Html =>
  html`<div id="limitations">${
    limitations.length > 0 &&
    html`<h2>Limitations of this chain</h2>
<ul>${limitations.map(
      ({ message, since, reason }) =>
        html`<li>${message} Since height ${since}: ${untrustedText(reason)}</li>`,
    )}</ul>`
  }</div>`

const GUARANTEES = html`<h2>Guarantees</h2>
<dl class="guarantees">
${fact('Complete', COMPLETE)}
${fact('Exact', EXACT)}
${fact('Replayable', REPLAYABLE)}
${fact('Consistent', CONSISTENT)}
${fact('Stable pagination', STABLE_PAGINATION)}
${fact('Cacheable', CACHEABLE)}
${fact('Fair', FAIR)}
${fact('Read only', 'Rollcall never votes, signs or moves funds.')}
</dl>`

const forPrograms = (at: PageContext): Html =>
  html`<p>For programs: ${link('/api/health', 'health as JSON', at)} \
and the ${link('/docs', 'API reference', at)}.</p>`

const statusMessage = (status: Health['status']): Html => {
  const [sign, label, means] = STATUS_MESSAGES[status]
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
      scripts: [STATUS_SCRIPT],
      head: AUTO_RELOAD,
      asOf: health.chain,
      main: html`<h1>Status</h1>
${statusMessage(health.status)}
${healthFacts(health)}
${limitationList(health)}
${GUARANTEES}
${forPrograms(at)}`,
    },
    at,
  )
