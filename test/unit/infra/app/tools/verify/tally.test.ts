// Tests of the recomputed tally from API responses: the steps, the result, or the reason of a failure.
import { describe, expect, it } from 'vitest'
import { workingText } from '../../../../../../infra/app/tools/verify/print.ts'
import { verifyTally } from '../../../../../../infra/app/tools/verify/tally.ts'
import { serve } from '../../../../../support/http/serve.ts'
import { all, params, pool, to } from '../../../../../support/log/governance-values.ts'

const counts = { yes: '600', abstain: '0', no: '299', noWithVeto: '0' }
const createProposal = (changes: object = {}) => ({
  proposalId: '7',
  title: 'Proposal 7',
  status: 'passed',
  expedited: false,
  round: 1,
  tally: { ...counts, final: true, matchesChain: 'yes', quorum: '0.4' },
  ...changes,
})
const slashed = pool('a', { tokens: '900', delegatorShares: '1000.000000000000000000' })
const about = { proposalId: '7', round: 1, strategy: 'inherit', complete: true }
const head = {
  ...about,
  incompleteReason: null,
  params: params(),
  bondedTokens: '1900',
  pools: [
    { pool: slashed, counted: true },
    { pool: pool('b'), counted: true },
  ],
}
const operator = { voter: 'a-account', options: all('yes'), delegations: [to('a', '1')] }
const carol = { voter: 'carol', options: all('no'), delegations: [to('a', '333')] }
const lastPage = { ...about, incompleteReason: null, items: [carol], links: { next: null } }
const pages = (first: object = {}): Record<string, object> => ({
  '/api/proposals/7': createProposal(),
  '/api/proposals/7/evidence?round=1': {
    ...head,
    items: [operator],
    links: { next: '/api/proposals/7/evidence?round=1&cursor=x' },
    ...first,
  },
  '/api/proposals/7/evidence?round=1&cursor=x': lastPage,
})

const setup = async (answers: Record<string, object>, round?: number) => {
  const url = await serve((request, response) => {
    const answer = answers[request.url ?? '']
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? { detail: 'there is no such proposal' }))
  })
  const { signal } = new AbortController()
  return verifyTally({ url, proposalId: '7', round, signal })
}

describe('rollcall tally verify', { tags: 'infra:tally-can-be-recomputed' }, () => {
  it('verifies the tally of a chain with three options and no veto', async () => {
    const three = { ...counts, noWithVeto: null }
    const rules = params({ vetoThreshold: null })
    const working = await setup({
      ...pages({ params: rules }),
      '/api/proposals/7': createProposal({ tally: { ...three, final: true, matchesChain: 'yes' } }),
    })
    expect(working).toMatchObject({ equal: true, served: three, decision: { passes: true } })
    expect(workingText(working)).toMatch(/veto +this chain has no veto/)
  })

  it('adds up the evidence, page by page, to the served tally', async () => {
    const working = await setup(pages())
    expect(working).toMatchObject({
      equal: true,
      ballots: 2,
      recomputed: counts,
      sums: { yes: '600.3', no: '299.7' },
      votingPower: '900',
      decision: { passes: true, reason: 'threshold_met' },
    })
    expect(working.pools).toMatchObject([
      { moniker: 'Pool a', votingPower: '600.3', delegators: { ballots: 1, no: '299.7' } },
    ])
  })

  it('reports a difference, even of one unit', async () => {
    const other = { ...counts, no: '300', final: true, matchesChain: 'yes' }
    const working = await setup({
      ...pages(),
      '/api/proposals/7': createProposal({ tally: other }),
    })
    expect(working.equal).toBe(false)
    expect(workingText(working)).toContain('DIFFERENT')
  })

  it('prints each part, each comparison and the decision', async () => {
    const lines = workingText(await setup(pages())).split('\n')
    const line = (start: string) => lines.find((each) => each.startsWith(start))
    expect(line('Pool a')).toMatch(/yes +600\.3 +1: 299\.7 +600\.3 +0 +299\.7 +0$/)
    expect(line('sum')).toMatch(/600\.3 +0 +299\.7 +0$/)
    expect(line('truncated')).toMatch(/600 +0 +299 +0$/)
    expect(line('quorum')).toContain('0.473684210526315789, must be at least 0.334: met')
    expect(line('veto')).toContain('no veto')
    expect(line('threshold')).toContain('0.667, must be above 0.5: met')
    expect(line('decision')).toContain('passes (threshold met)')
    expect(line('equal')).toBeDefined()
  })

  it.each(['whole', 'shortened'])(
    'compares an earlier round with the tally of the chain at its restart, whose event is %s',
    async (form) => {
      const latest = createProposal({
        round: 2,
        tally: { ...counts, yes: '1', final: true, matchesChain: 'yes' },
      })
      const type = 'rollcall.voting.restarted.v1'
      const restart = { type, height: 40, index: 2, data: { round: 1, finalTally: counts } }
      const listed = form === 'whole' ? restart : { ...restart, data: { truncated: true } }
      const working = await setup(
        {
          ...pages(),
          '/api/proposals/7': latest,
          '/api/proposals/7/events': { items: [listed], links: { next: null } },
          '/api/proposals/7/events/40/2': restart,
        },
        1,
      )
      expect(working).toMatchObject({ equal: true, round: 1 })
      expect(working.decision).toMatchObject({ passes: false, reason: 'threshold_missed' })
    },
  )

  /** Each page links a next one. */
  const endless = Object.fromEntries(
    Array.from({ length: 1_001 }, (_, at) => {
      const path = '/api/proposals/7/evidence?round=1'
      const links = { next: `${path}&cursor=${at + 1}` }
      return [at === 0 ? path : `${path}&cursor=${at}`, { ...head, items: [], links }]
    }),
  )
  const cycle = '/api/proposals/7/evidence?round=1'

  it.each<[string, Record<string, object>, RegExp]>([
    ['of an open vote', { '/api/proposals/7': createProposal({ tally: null }) }, /is still open/],
    ['without a voting period', { '/api/proposals/7': createProposal({ round: 0 }) }, /no voting/],
    [
      'that closed before the first indexed height',
      { '/api/proposals/7': createProposal({ round: null, historyReason: 'closed early' }) },
      /no evidence of proposal 7: closed early/,
    ],
    [
      'of a canceled proposal',
      { '/api/proposals/7': createProposal({ status: 'canceled' }) },
      /there is no tally/,
    ],
    [
      'without complete evidence',
      pages({ complete: false, incompleteReason: 'the reads took too long' }),
      /incomplete: the reads took too long/,
    ],
    ['if the rules are not known', pages({ strategy: 'none' }), /rules/],
    ['with pages that form a cycle', pages({ links: { next: cycle } }), /successor/],
    ['with pages that never end', { ...pages(), ...endless }, /does not end after 1000 pages/],
    ['with pages elsewhere', pages({ links: { next: 'http://example.org/' } }), /leads away/],
    ['with invalid evidence', pages({ items: [{ voter: 1 }] }), /not as documented/],
    ['of an unknown proposal', {}, /404: there is no such proposal/],
  ])('refuses a verification %s, and gives the reason', async (_, answers, why) => {
    const failure = await setup(answers).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'EVIDENCE_UNAVAILABLE' })
    expect((failure as Error).message).toMatch(why)
  })

  it('refuses a round that does not exist', async () => {
    await expect(setup(pages(), 2)).rejects.toThrow('no round 2: the latest is 1')
  })
})
