// The status page: how fresh the record is, in words a reader can hold it to, and what the service promises.
import { type Html, html } from '../../infra/html/html.ts'
import type { PageAt, PageData } from '../resources/page-data.ts'
import { STATUS_SCRIPT } from './assets.ts'
import { fact } from './elements.ts'
import { layout } from './layout.ts'
import { link, moment, said, UNKNOWN } from './parts.ts'

type Health = PageData['status']

const VERDICTS: Readonly<
  Record<Health['status'], readonly [sign: string, label: string, means: string]>
> = {
  ok: ['✓', 'Up to date', 'What is shown here is at most ten seconds behind the chain.'],
  catching_up: [
    '…',
    'Catching up',
    'What is shown here is right as of its height, and that height is behind the chain. It is moving.',
  ],
  degraded: [
    '!',
    'Not up to date',
    'What is shown here is right as of its height, but nothing newer comes in at the moment.',
  ],
}

/** Without the script the page is loaded again by itself; nobody is at work in it who could be disturbed. */
const RELOADED = html`<noscript><meta http-equiv="refresh" content="30"></noscript>`

const secondsOf = (seconds: number | null): Html => {
  if (seconds === null) return UNKNOWN
  if (seconds < 1) return html`less than a second`
  const whole = Math.round(seconds)
  return html`${whole} ${whole === 1 ? 'second' : 'seconds'}`
}

const heightOf = ({ height, time }: NonNullable<Health['chain']>): Html =>
  html`${height}, of ${moment(time)}`

const figuresOf = (health: Health): Html => {
  const { chain, tip, lagEvents } = health
  const behind = chain !== null && tip !== null ? Math.max(tip - chain.height, 0) : null
  return html`<dl class="facts" id="figures">
${fact('Chain', chain ? said(chain.chainId) : UNKNOWN)}
${fact('Height that is shown', chain ? heightOf(chain) : 'none yet')}
${fact('Height of the chain', tip ?? UNKNOWN)}
${fact('Heights behind', behind ?? UNKNOWN)}
${fact('Events not shown yet', lagEvents ?? UNKNOWN)}
${fact('Longest wait of what is missing', secondsOf(health.freshnessSeconds))}
${fact('Version', health.version)}
</dl>`
}

const COMPLETE = html`Every vote counts here that counts on the chain, whoever carried it: \
an account, a contract, a group. \
What happened before the first height that was read is said to be not known.`

const EXACT = html`Amounts are whole, to the last unit; \
nothing is rounded but where the exact one is beside it. \
At each close the tally is computed again from the votes and held against the chain's own.`

const REPLAYABLE = html`Every fact is in a log that is never altered. \
The evidence of each tally is served, \
so that anybody can compute it without trusting this page.`

const ONE_STATE = html`A page never mixes two states of the chain, \
and says as of which height it is. \
What is not known is said to be not known, never shown as 0.`

const STEADY = html`Whoever walks through a list misses nothing and sees nothing twice. \
A cursor leads on for 15 minutes even after the tables behind it were made anew.`

const KNOWN_BY_TAG = html`Each answer carries an <code>ETag</code>: \
whoever has it already is told so, and sent nothing.`

const FAIR = html`No account and no token is needed. \
A quota for each address keeps it open for all: \
each answer says in <code>RateLimit</code> what is left of it.`

const PROMISES = html`<h2>What it promises</h2>
<dl class="promises">
${fact('Complete', COMPLETE)}
${fact('Exact', EXACT)}
${fact('Replayable', REPLAYABLE)}
${fact('One state a page', ONE_STATE)}
${fact('Steady pages', STEADY)}
${fact('Known by its tag', KNOWN_BY_TAG)}
${fact('Fair', FAIR)}
${fact('Read only', 'It never votes, never signs and never moves funds.')}
</dl>`

const forPrograms = (at: PageAt): Html =>
  html`<p>The same for programs: ${link('/api/health', 'health as JSON', at)}, \
and the ${link('/docs', 'reference of the API', at)}.</p>`

const verdictOf = (status: Health['status']): Html => {
  const [sign, label, means] = VERDICTS[status]
  return html`<div id="verdict" role="status"><p class="verdict ${status}">\
<span aria-hidden="true">${sign}</span> <strong>${label}</strong></p>
<p>${means}</p></div>`
}

export const statusHtml = (health: Health, at: PageAt): string =>
  layout(
    {
      title: 'Status',
      description:
        'How fresh this record of governance is, how far behind the chain, and what the service promises.',
      path: '/status',
      json: '/api/health',
      scripts: [STATUS_SCRIPT],
      head: RELOADED,
      asOf: health.chain,
      main: html`<h1>Status</h1>
${verdictOf(health.status)}
${figuresOf(health)}
${PROMISES}
${forPrograms(at)}`,
    },
    at,
  )
