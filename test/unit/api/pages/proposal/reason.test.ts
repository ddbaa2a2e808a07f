// The sentence beside the status of a proposal that was rejected or could not be executed.
import { Fragment, h } from 'preact'
import { expect, it } from 'vitest'
import { explainOutcome } from '../../../../../api/pages/proposal/state.tsx'
import { renderMarkup } from '../../../../../infra/base/html/render.tsx'
import { tally } from '../../../../support/api/html-data.ts'
import { shownProposal } from '../../../../support/api/shown-proposals.ts'

const AT = { baseUrl: '', params: {}, unit: { name: 'ATOM', denom: 'uatom', decimals: 6 } }

const sentence = (changes: Parameters<typeof shownProposal>[0]): string | null => {
  const found = explainOutcome(shownProposal(changes))
  return found === null ? null : renderMarkup(h(Fragment, null, found), AT)
}

it.each([
  [
    'quorum_not_reached',
    { yes: '100', no: '0', abstain: '0', noWithVeto: '0' },
    'The turnout of 10\u202f% did not reach the quorum of 33.4\u202f%.',
  ],
  [
    'vetoed',
    { yes: '200', no: '0', abstain: '0', noWithVeto: '600' },
    '75\u202f% voted No with veto. A proposal is rejected above 33.4\u202f%.',
  ],
  [
    'threshold_not_met',
    { yes: '100', no: '300', abstain: '400', noWithVeto: '0' },
    '25\u202f% voted Yes, without counting Abstain. More than 50\u202f% was needed.',
  ],
  [
    'threshold_not_met',
    { yes: '0', no: '0', abstain: '900', noWithVeto: '0' },
    'None voted Yes, without counting Abstain. More than 50\u202f% was needed.',
  ],
] as const)('a rejection by %s names the number and the limit', (outcomeReason, sums, words) => {
  const votingPower = Object.values(sums).reduce((total, sum) => total + Number(sum), 0)
  const turnout = (votingPower / 1_000).toFixed(4)
  const counted = { ...tally, ...sums, votingPower: `${votingPower}`, turnout, final: true }
  expect(sentence({ status: 'rejected', outcomeReason, tally: counted })).toBe(words)
})

it('a failed execution has the reason of the chain as a quotation, in display units', () => {
  const failedReason =
    'balance 250123346264uatom is smaller than 900000000000000uatom: <b>insufficient</b> 5ibc/27AB'
  expect(sentence({ status: 'failed', failedReason })).toBe(
    'The vote passed, but its execution failed. The chain reports: <bdi dir="auto">“balance ' +
      '250\u202f123.346264\u00a0ATOM is smaller than 900\u202f000\u202f000\u00a0ATOM: &lt;b>insufficient&lt;/b> 5ibc/27AB”</bdi>',
  )
})

it('a proposal that passed or is open needs no reason', () => {
  expect(sentence({ status: 'passed', tally: { ...tally, final: true } })).toBeNull()
  expect(sentence({})).toBeNull()
  expect(sentence({ status: 'failed', failedReason: null })).toBeNull()
})
