// `/status`: how current the data is, and what the service guarantees.
import type { Health } from '../schemas/health.ts'
import { LIVE_SCRIPT } from '../view/assets.ts'
import { Facts } from '../view/blocks.tsx'
import type { Document } from '../view/page.tsx'
import { Link, Quoted, Reason, Time, Unknown } from '../view/parts.tsx'
import type { PageContext } from '../view/paths.ts'
import { durationInWords, pluralize } from '../words/in-words.ts'
import { silenceText } from '../words/notice.ts'
import { describeHistory } from '../words/status.ts'

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

function Freshness({ of: { status, noBlockSince } }: { of: Health }, at: PageContext) {
  const [sign, label, means]: Message =
    noBlockSince === null
      ? MESSAGES[status]
      : [
          '!',
          at.isDemo ? 'End of the recording' : 'No new block',
          `${silenceText(noBlockSince, at.isDemo)} ${AS_OF_LAST}`,
        ]
  return (
    <div id="freshness" role="status" data-live="yes">
      <p class={`freshness ${status}`}>
        <span aria-hidden="true">{sign}</span> <strong>{label}</strong>
      </p>
      <p>{means}</p>
    </div>
  )
}

const describeLag = (seconds: number | null) => {
  if (seconds === null) return <Unknown />
  return seconds < 1 ? 'less than a second' : pluralize(Math.round(seconds), 'second')
}

const describeBehind = ({ heights, seconds }: Health['behind']) => {
  if (heights === null) return <Unknown />
  const isLate = seconds !== null && seconds > 0
  return isLate ? `${heights} (${durationInWords(seconds)})` : heights
}

function Figures({ of }: { of: Health }) {
  const { chain, tip, behind, lagEvents, freshnessSeconds, version } = of
  const indexed = chain ? [chain.height, ', ', <Time of={chain.time} />] : 'none yet'
  return (
    <Facts
      id="figures"
      isLive
      of={[
        ['Chain', chain ? <Quoted text={chain.chainId} /> : <Unknown />],
        ['Indexed height', indexed],
        ['Chain height', tip ?? <Unknown />],
        ['Blocks behind', describeBehind(behind)],
        ['Pending events', lagEvents ?? <Unknown />],
        ['Indexing lag', describeLag(freshnessSeconds)],
        ['Version', version],
      ]}
    />
  )
}

function Limitations({ of }: { of: Health['limitations'] }) {
  return (
    <div id="limitations" data-live="yes">
      {of.length > 0 && (
        <>
          <h2>Limitations of this chain</h2>
          <ul>
            {of.map(({ message, since, reason }) => (
              <li>
                {message} Since block {since}: <Reason of={reason} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function History({ of }: { of: Health['history'] }) {
  return (
    <div id="history" data-live="yes">
      {of !== null && (
        <>
          <h2>History</h2>
          <p>
            {describeHistory(of)}
            {of.reason !== null && (
              <>
                {' '}
                Reason: <Quoted text={of.reason} />.
              </>
            )}
          </p>
        </>
      )}
    </div>
  )
}

const GUARANTEES = [
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
] as const

/** Without scripts, the page reloads itself. It has no input that a reload could lose. */
const AUTO_RELOAD = (
  <noscript>
    <meta http-equiv="refresh" content="30" />
  </noscript>
)

export function writeStatus(health: Health): Document {
  return {
    title: 'Status',
    description:
      'How current the data is, how far it is behind the chain, and what the service guarantees.',
    path: '/status',
    json: '/api/health',
    scripts: [LIVE_SCRIPT],
    head: AUTO_RELOAD,
    asOf: health.chain,
    body: (
      <>
        <Freshness of={health} />
        <Figures of={health} />
        <Limitations of={health.limitations} />
        <History of={health.history} />
        <h2>Guarantees</h2>
        <Facts look="guarantees" of={GUARANTEES} />
        <p>
          For programs: <Link to="/api/health">health as JSON</Link> and the{' '}
          <Link to="/docs">API reference</Link>.
        </p>
      </>
    ),
  }
}
