// Tests of the Atom feed: entry texts, update times, and IDs that do not depend on the URL of the service.
import { describe, expect, it } from 'vitest'
import { atomFeed, findLastChange } from '../../../../api/feed/atom.ts'
import { shownList, shownProposal } from '../../../support/api/shown-proposals.ts'

const AT = { baseUrl: '', origin: 'https://gov.example.org' }

const parseIds = (feed: string) => [...feed.matchAll(/<id>([^<]+)<\/id>/g)].map(([, id]) => id)

describe('an entry', () => {
  it('says which texts are from the metadata, and has the line ends of an escaped text', () => {
    const feed = (changes: object) => atomFeed(shownList([shownProposal(changes)]), AT)
    const both = { titleSource: 'metadata', summarySource: 'metadata', summary: 'A.\\n\\nB.' }
    expect(feed(both)).toContain(
      'From the metadata of the proposal: title and description.\n\nA.\n\nB.</content>',
    )
    expect(feed({ titleSource: 'metadata' })).toContain('From the metadata of the proposal: title.')
    expect(feed({})).not.toContain('From the metadata')
  })

  it('has as update time the latest of submission, start and close', () => {
    const submitTime = '2026-11-01T00:00:00.000Z'
    const votingStartTime = '2026-11-02T00:00:00.000Z'
    const closedTime = '2026-11-03T00:00:00.000Z'
    const at = (changes: object) => findLastChange(shownProposal({ submitTime, ...changes }))
    expect(at({ status: 'deposit_period', votingStartTime: null })).toBe(submitTime)
    expect(at({ status: 'voting_period', votingStartTime })).toBe(votingStartTime)
    expect(at({ status: 'passed', votingStartTime, closedTime })).toBe(closedTime)
    expect(at({ status: 'dropped', votingStartTime: null, closedTime })).toBe(closedTime)
  })

  it('does not show a tally that can still change', () => {
    const tally = {
      yes: '1',
      no: '0',
      abstain: '0',
      noWithVeto: '0',
      votingPower: '1',
      bondedTokens: '10',
      ...({ matchesChain: 'unknown', matchesChainReason: null, turnout: '0.1000' } as const),
      quorum: '0.334',
      threshold: '0.5',
      vetoThreshold: '0.334',
      poolsVoted: 1,
      ballots: 1,
      rule: { name: 'gov', provedAt: null, reported: false } as const,
      stakeAt: null,
    }
    const open = atomFeed(shownList([shownProposal({ tally: { ...tally, final: false } })]), AT)
    expect(open).not.toContain('Turnout')
    const closed = shownProposal({ status: 'passed', tally: { ...tally, final: true } })
    expect(atomFeed(shownList([closed]), AT)).toContain('Passed. Turnout: 10\u202f%.')
  })
})

describe('the feed', () => {
  it('has one ID for each proposal, whatever the URL of the service is', () => {
    const list = [shownProposal({ proposalId: '8' }), shownProposal()]
    const here = parseIds(atomFeed(shownList(list), AT))
    const elsewhere = { baseUrl: 'https://a.test/x', origin: 'https://a.test/x' }
    expect(parseIds(atomFeed(shownList(list, elsewhere), elsewhere))).toEqual(here)
    expect(new Set(here).size).toBe(3)
    expect(here[0]).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-/)
  })

  it('does not change with the height at which it is read', () => {
    const list = shownList([shownProposal()])
    const later = { ...list, asOf: { ...list.asOf, height: 101, time: '2026-11-21T00:01:41.000Z' } }
    expect(atomFeed(later, AT)).toBe(atomFeed(list, AT))
  })
})
