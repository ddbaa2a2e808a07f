// The status page: how fresh the record is, in words a reader can hold it to, and what the service promises.
import { type Html, html } from '../../infra/html/html.ts'
import type { PageAt, PageData } from '../resources/page-data.ts'
import { STATUS_SCRIPT } from './assets.ts'
import { layout } from './layout.ts'
import { moment, said, to, UNKNOWN } from './parts.ts'

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

const figuresOf = (health: Health): Html => {
  const { chain, tip, lagEvents } = health
  const behind = chain !== null && tip !== null ? Math.max(tip - chain.height, 0) : null
  return html`<dl class="facts" id="figures">
<dt>Chain</dt><dd>${chain ? said(chain.chainId) : UNKNOWN}</dd>
<dt>Height that is shown</dt><dd>${chain ? html`${chain.height}, of ${moment(chain.time)}` : html`none yet`}</dd>
<dt>Height of the chain</dt><dd>${tip ?? UNKNOWN}</dd>
<dt>Heights behind</dt><dd>${behind ?? UNKNOWN}</dd>
<dt>Events not shown yet</dt><dd>${lagEvents ?? UNKNOWN}</dd>
<dt>Longest wait of what is missing</dt><dd>${secondsOf(health.freshnessSeconds)}</dd>
<dt>Version</dt><dd>${health.version}</dd>
</dl>`
}

const promisesOf = (at: PageAt): Html => html`<h2>What it promises</h2>
<dl class="promises">
<dt>Complete</dt><dd>Every vote counts here that counts on the chain, whoever carried it: an account, a contract, a group. What happened before the first height that was read is said to be not known.</dd>
<dt>Exact</dt><dd>Amounts are whole, to the last unit; nothing is rounded but where the exact one is beside it. At each close the tally is computed again from the votes and held against the chain's own.</dd>
<dt>Replayable</dt><dd>Every fact is in a log that is never altered. The evidence of each tally is served, so that anybody can compute it without trusting this page.</dd>
<dt>One state a page</dt><dd>A page never mixes two states of the chain, and says as of which height it is. What is not known is said to be not known, never shown as 0.</dd>
<dt>Steady pages</dt><dd>Whoever walks through a list misses nothing and sees nothing twice. A cursor leads on for 15 minutes even after the tables behind it were made anew.</dd>
<dt>Known by its tag</dt><dd>Each answer carries an <code>ETag</code>: whoever has it already is told so, and sent nothing.</dd>
<dt>Fair</dt><dd>No account and no token is needed. A quota for each address keeps it open for all: each answer says in <code>RateLimit</code> what is left of it.</dd>
<dt>Read only</dt><dd>It never votes, never signs and never moves funds.</dd>
</dl>
<p>The same for programs: ${html`<a href="${to('/api/health', at)}">health as JSON</a>`}, and the <a href="${to('/docs', at)}">reference of the API</a>.</p>`

export const statusHtml = (health: Health, at: PageAt): string => {
  const [sign, label, means] = VERDICTS[health.status]
  return layout(
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
<div id="verdict" role="status"><p class="verdict ${health.status}"><span aria-hidden="true">${sign}</span> <strong>${label}</strong></p>
<p>${means}</p></div>
${figuresOf(health)}
${promisesOf(at)}`,
    },
    at,
  )
}
