// Tests of the text output for a verified proposal.
import { describe, expect, it } from 'vitest'
import { proofText } from '../../../../../../infra/app/tools/verify/print-proof.ts'
import type { ProvedProposal } from '../../../../../../infra/base/proof/proposal.ts'

const ZEROS = { yes: '0', abstain: '0', no: '0', noWithVeto: '0' }
const COUNTED = { yes: '7', abstain: '0', no: '2', noWithVeto: '1' }

const firstLine = (status: ProvedProposal['status'], tally: ProvedProposal['tally']) =>
  proofText({ proposal: { id: '4', status, tally }, height: 9n, path: [], steps: [] }).split(
    '\n',
  )[0]

describe('the text of a verified proposal', () => {
  it('has the final tally of a decided proposal', () => {
    expect(firstLine('passed', COUNTED)).toBe(
      'proposal 4 at height 9: passed, final tally: yes 7, no 2, abstain 0, no with veto 1',
    )
    expect(firstLine('rejected', ZEROS)).toContain('rejected, final tally: yes 0')
  })

  it('has no tally before the first one, because the chain stores zeros until then', () => {
    expect(firstLine('voting_period', ZEROS)).toBe('proposal 4 at height 9: voting_period')
    expect(firstLine('deposit_period', null)).toBe('proposal 4 at height 9: deposit_period')
  })

  it('does not label the tally of a failed expedited round as final', () => {
    expect(firstLine('voting_period', COUNTED)).toBe(
      'proposal 4 at height 9: voting_period, tally of the round before: yes 7, no 2, abstain 0, no with veto 1',
    )
  })
})
