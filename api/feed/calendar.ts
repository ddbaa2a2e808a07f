// The ends of voting and deposit periods, and planned upgrades, as a calendar (iCalendar, RFC 5545). Pure.
import type { CalendarData } from '../resources/calendar.ts'
import type { AsOf } from '../schemas/common.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
import { groupThousands } from '../words/display-unit.ts'
import { findPeriodEnd } from '../words/status.ts'
import { plainLine } from '../words/texts.ts'

export const CALENDAR_TYPE = 'text/calendar; charset=utf-8'

/** Of a line, without its line end. */
const MAX_OCTETS = 75

/** Lines continue after a line end and a space, and no character is split. */
const foldLine = (line: string): string => {
  const lines = ['']
  let octets = 0
  for (const sign of line) {
    const size = Buffer.byteLength(sign)
    if (octets + size > MAX_OCTETS) {
      lines.push(' ')
      octets = 1
    }
    lines[lines.length - 1] += sign
    octets += size
  }
  return lines.join('\r\n')
}

const escapeText = (text: string): string => text.replace(/[\\;,]/g, '\\$&')

/** `2026-11-21T08:00:00.000Z` as `20261121T080000Z`. */
const formatStamp = (time: string): string => `${time.slice(0, 19).replace(/[-:]/g, '')}Z`

const ENDS = {
  voting_period: { name: 'voting', summary: 'voting ends' },
  deposit_period: { name: 'deposit', summary: 'deposit period ends' },
} as const

type Upgrade = CalendarData['upgrades'][number]
type EventContext = { asOf: AsOf; origin: string }
type CalendarEvent = {
  proposalId: string
  /** Unique among the events of the proposal. */
  name: string
  time: string
  summary: string
  description: readonly string[]
}

const toLines = (event: CalendarEvent, { asOf, origin }: EventContext): string[] => {
  const { proposalId, name, time, summary, description } = event
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(`${asOf.chainId}-${proposalId}-${name}`)}`,
    `DTSTAMP:${formatStamp(asOf.time)}`,
    `DTSTART:${formatStamp(time)}`,
    `SUMMARY:${escapeText(`Proposal ${proposalId}: ${summary}`)}`,
    `DESCRIPTION:${description.map(escapeText).join('\\n')}`,
    `URL:${origin}/proposals/${proposalId}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** A text of the proposer: the summary of an event has none. */
const fromProposer = (what: 'title' | 'name', text: string): string =>
  `The ${what} that the proposer gave: "${plainLine(text)}"`

const createEnd = (proposal: ProposalSummary): CalendarEvent[] => {
  const { proposalId, title, status } = proposal
  const time = findPeriodEnd(proposal)
  if (time === null) return []
  const { name, summary } = ENDS[status === 'voting_period' ? status : 'deposit_period']
  return [
    { proposalId, name: `${name}-end`, time, summary, description: [fromProposer('title', title)] },
  ]
}

const createUpgrade = (
  { proposalId, title, isDecided, height, name, estimate }: Upgrade,
  asOf: AsOf,
): CalendarEvent => {
  const block = groupThousands(height) ?? height
  const blocks = groupThousands(`${estimate.blocks}`) ?? ''
  const lastBlock = groupThousands(`${asOf.height}`) ?? ''
  return {
    proposalId,
    name: 'upgrade',
    time: estimate.time,
    summary: `upgrade at block ${block}, estimated time${isDecided ? '' : ', if it passes'}`,
    description: [
      `The chain stops at block ${block}${isDecided ? '' : ' if the proposal passes'}.`,
      'The block is exact, the time is an estimate.',
      `Basis: ${estimate.blockSeconds} s per block, the average of the ${blocks} blocks before block ${lastBlock}.`,
      ...(name === '' ? [] : [fromProposer('name', name)]),
      fromProposer('title', title),
    ],
  }
}

const toEvents = ({ items, upgrades, asOf }: CalendarData): CalendarEvent[] => [
  ...items.flatMap(createEnd),
  ...upgrades.map((upgrade) => createUpgrade(upgrade, asOf)),
]

export const createCalendar = (data: CalendarData, origin: string): string => {
  const { asOf } = data
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Rollcall//Governance//EN',
    `X-WR-CALNAME:${escapeText(`Proposals of ${asOf.chainId}`)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...toEvents(data).flatMap((event) => toLines(event, { asOf, origin })),
    'END:VCALENDAR',
    '',
  ]
    .map(foldLine)
    .join('\r\n')
}
