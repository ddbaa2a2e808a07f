// Tests the bounds of an event in the log: what others wrote is shortened, and every part that is left out is named.
import { describe, expect, it } from 'vitest'
import { encodeEvent } from '../../../../ingest/contract/codec.ts'
import type { EventOf, GovernanceEvent } from '../../../../ingest/contract/events.ts'
import type { Message } from '../../../../ingest/contract/facts.ts'
import { fitEvent } from '../../../../ingest/publish/fit-event.ts'
import { createHeightEvents, submitted } from '../../../support/log/governance-events.ts'
import { proposalState } from '../../../support/log/governance-values.ts'

const MAX_BYTES = 15 * 2 ** 20

const createSubmission = (
  proposal: Parameters<typeof proposalState>[1],
  messages: Message[] = [],
): GovernanceEvent =>
  createHeightEvents(1, [submitted('7', { proposal: proposalState('7', proposal), messages })])[0]!

const fitted = (event: GovernanceEvent) =>
  fitEvent(event, MAX_BYTES) as EventOf<'rollcall.proposal.submitted.v1'>

describe('a text that others wrote', () => {
  it.each(['title', 'metadata', 'proposer', 'failedReason'] as const)(
    'has at most 64 KiB in an event if it is a %s, and the whole text has a digest',
    (member) => {
      const { data } = fitted(createSubmission({ [member]: 'ä'.repeat(2 ** 20) }))
      expect(data.proposal?.[member]).toMatch(/^ä{32768}…$/)
      expect(data.omitted).toEqual([
        { path: `/proposal/${member}`, bytes: 2 ** 21 + 2, sha256: expect.any(String) },
      ])
      expect(data.omittedReason).toContain('at most 65536 bytes')
    },
  )

  it('has at most 512 KiB if it is a summary', () => {
    const { data } = fitted(createSubmission({ summary: 'x'.repeat(5 * 2 ** 20) }))
    expect(data.proposal?.summary).toBe(`${'x'.repeat(2 ** 19)}…`)
  })

  it('is unchanged below its limit, and messages keep their own texts', () => {
    const messages = [{ '@type': '/a.b', title: 'y'.repeat(2 ** 18) }]
    const event = createSubmission(
      { summary: 'x'.repeat(400_000), title: 'ä'.repeat(30_000) },
      messages,
    )
    expect(fitted(event)).toEqual(event)
  })

  it('keeps the digest of the whole text if a smaller limit shortens it again', () => {
    const once = fitted(createSubmission({ summary: 'x'.repeat(2 ** 20) }))
    const twice = fitEvent(once, 40_000)
    expect(twice.data.omitted).toEqual(once.data.omitted)
    expect(encodeEvent(twice).length).toBeLessThan(40_000)
  })
})
