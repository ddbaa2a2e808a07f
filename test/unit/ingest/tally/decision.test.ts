// Tests which comparison decides a vote, in the order of x/gov.
import { expect, it } from 'vitest'
import { ATTO } from '../../../../ingest/contract/decimal.ts'
import { decide } from '../../../../ingest/tally/decision.ts'

const PARAMS = {
  quorum: '0.334',
  threshold: '0.5' as string | null,
  vetoThreshold: '0.334',
  expeditedThreshold: '0.667',
}
const LAW = { ...PARAMS, threshold: null }

type Votes = { yes?: bigint; no?: bigint; abstain?: bigint; noWithVeto?: bigint }

/** Votes in whole units, of 100 that are bonded. */
const decideOn = (
  { yes = 0n, no = 0n, abstain = 0n, noWithVeto = 0n }: Votes,
  { bondedTokens = '100', expedited = false, params = PARAMS } = {},
) => {
  const [y, n, a, v] = [yes * ATTO, no * ATTO, abstain * ATTO, noWithVeto * ATTO] as const
  const sums = { yes: y, no: n, abstain: a, noWithVeto: v }
  const { reason, passes } = decide(
    { sums, votingPower: y + n + a + v },
    { params, bondedTokens, expedited },
  )
  return [reason, passes]
}

it.each<[string, boolean | null, Votes, Parameters<typeof decideOn>[1]]>([
  ['nothing_bonded', false, {}, { bondedTokens: '0' }],
  ['quorum_missed', false, { yes: 33n }, {}],
  ['all_abstained', false, { abstain: 60n }, {}],
  ['vetoed', false, { yes: 30n, noWithVeto: 20n }, {}],
  ['threshold_met', true, { yes: 26n, no: 25n, abstain: 40n }, {}],
  ['threshold_missed', false, { yes: 26n, no: 25n }, { expedited: true }],
  ['threshold_missed', false, { yes: 25n, no: 25n }, {}],
  ['threshold_unknown', null, { yes: 60n }, { params: LAW }],
])('%s: passes is %j with %o and %o', (reason, passes, votes, rules) => {
  expect(decideOn(votes, rules)).toEqual([reason, passes])
})
