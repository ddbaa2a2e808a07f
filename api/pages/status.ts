// `/status`: how current the data is, and what the service guarantees.
import { html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { type Inline, link, quoted, strong, time, UNKNOWN } from '../document/line.ts'
import {
  type Block,
  type Document,
  heading,
  list,
  namedFacts,
  paragraph,
  part,
  picture,
} from '../document/tree.ts'
import { STATUS_SCRIPTS } from '../html/assets.ts'
import { describeHistory, durationInWords, plainReason, pluralize } from '../in-words.ts'
import type { Health } from '../schemas/health.ts'
import { silenceText } from '../site-notice.ts'

type Message = readonly [sign: string, label: string, means: string]

const MESSAGES: Readonly<Record<Health['status'], Message>> = {
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

const message = ({ status, noBlockSince }: Health, { isDemo }: PageContext): Block => {
  const [sign, label, means]: Message =
    noBlockSince === null
      ? MESSAGES[status]
      : [
          '!',
          isDemo ? 'End of the recording' : 'No new block',
          `${silenceText(noBlockSince, isDemo)} ${AS_OF_LAST}`,
        ]
  return picture(
    html`<div id="freshness" role="status"><p class="freshness ${status}">\
<span aria-hidden="true">${sign}</span> <strong>${label}</strong></p>
<p>${means}</p></div>`,
    paragraph(strong(label)),
    paragraph(means),
  )
}

/** Without scripts, the page reloads itself. It has no input that a reload could lose. */
const AUTO_RELOAD = html`<noscript><meta http-equiv="refresh" content="30"></noscript>`

const describeLag = (seconds: number | null): Inline => {
  if (seconds === null) return UNKNOWN
  return seconds < 1 ? 'less than a second' : pluralize(Math.round(seconds), 'second')
}

const describeBehind = ({ heights, seconds }: Health['behind']): Inline => {
  if (heights === null) return UNKNOWN
  return [heights, seconds !== null && seconds > 0 && ` (${durationInWords(seconds)})`]
}

const figures = ({ chain, tip, behind, lagEvents, freshnessSeconds, version }: Health): Block =>
  namedFacts(
    { id: 'figures' },
    ['Chain', chain ? quoted(chain.chainId) : UNKNOWN],
    ['Indexed height', chain ? [chain.height, ', ', time(chain.time)] : 'none yet'],
    ['Chain height', tip ?? UNKNOWN],
    ['Blocks behind', describeBehind(behind)],
    ['Pending events', lagEvents ?? UNKNOWN],
    ['Indexing lag', describeLag(freshnessSeconds)],
    ['Version', version],
  )

/** The status script replaces its content. */
const limitationList = ({ limitations }: Health): Block => {
  const items = limitations.map(({ message: what, since, reason }) => [
    `${what} Since block ${since}: `,
    quoted(plainReason(reason)),
  ])
  const blocks = items.length > 0 ? [heading('Limitations of this chain'), list(items)] : []
  return part({ id: 'limitations' }, ...blocks)
}

const historyPart = ({ history }: Health): Block => {
  if (history === null) return part({ id: 'history' })
  const { reason } = history
  return part(
    { id: 'history' },
    heading('History'),
    paragraph([describeHistory(history), reason !== null && [' Reason: ', quoted(reason), '.']]),
  )
}

const GUARANTEES = namedFacts(
  { look: 'guarantees' },
  [
    'Complete',
    'Every vote that the chain counts is included: votes of accounts, contracts and groups. ' +
      'What happened before the first block that Rollcall has is marked as not known.',
  ],
  [
    'Exact',
    'Amounts are exact, to the last unit. ' +
      'A rounded amount always comes with the exact amount. ' +
      'When a vote closes, the tally is recomputed and compared with the result of the chain.',
  ],
  [
    'Can be recomputed',
    'The evidence of each count is public, ' +
      'so you can recompute it without trusting this page.',
  ],
  [
    'Consistent',
    'A page shows one state of the chain, and says of which block. ' +
      'Unknown values are marked as not known, never shown as 0.',
  ],
  ['Stable lists', 'From page to page of a list, no item is skipped or repeated.'],
  [
    'Open to all',
    'You need no account. So that all readers are served, ' +
      'one address can load only so many pages a minute.',
  ],
  ['Read only', 'Rollcall never votes, signs or moves funds.'],
)

const FOR_PROGRAMS = paragraph([
  'For programs: ',
  link('/api/health', 'health as JSON'),
  ' and the ',
  link('/docs', 'API reference'),
  '.',
])

export const writeStatus = (health: Health, at: PageContext): Document => ({
  title: 'Status',
  description:
    'How current the data is, how far it is behind the chain, and what the service guarantees.',
  path: '/status',
  json: '/api/health',
  scripts: STATUS_SCRIPTS,
  head: AUTO_RELOAD,
  asOf: health.chain,
  blocks: [
    message(health, at),
    figures(health),
    limitationList(health),
    historyPart(health),
    heading('Guarantees'),
    GUARANTEES,
    FOR_PROGRAMS,
  ],
})
