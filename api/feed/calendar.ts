// The ends of voting and deposit periods as a calendar (iCalendar, RFC 5545). Pure.
import type { CalendarData } from '../resources/calendar.ts'
import type { AsOf } from '../schemas/common.ts'
import type { ProposalSummary } from '../schemas/proposal.ts'
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

type EventContext = { asOf: AsOf; origin: string }

const toLines = (proposal: ProposalSummary, { asOf, origin }: EventContext): string[] => {
  const { proposalId, title, status } = proposal
  const time = findPeriodEnd(proposal)
  if (time === null) return []
  const { name, summary } = ENDS[status === 'voting_period' ? status : 'deposit_period']
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(`${asOf.chainId}-${proposalId}-${name}-end`)}`,
    `DTSTAMP:${formatStamp(asOf.time)}`,
    `DTSTART:${formatStamp(time)}`,
    `SUMMARY:${escapeText(`Proposal ${proposalId}: ${summary}`)}`,
    // A text of the proposer: the summary of an event has none.
    `DESCRIPTION:${escapeText(`The title that the proposer gave: "${plainLine(title)}"`)}`,
    `URL:${origin}/proposals/${proposalId}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

export const createCalendar = ({ items, asOf }: CalendarData, origin: string): string => {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Rollcall//Governance//EN',
    `X-WR-CALNAME:${escapeText(`Proposals of ${asOf.chainId}`)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...items.flatMap((proposal) => toLines(proposal, { asOf, origin })),
    'END:VCALENDAR',
    '',
  ]
    .map(foldLine)
    .join('\r\n')
}
