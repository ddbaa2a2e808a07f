// A verified proposal as text for a terminal and as JSON. Pure.
import { hashText } from '../../../base/proof/light-block.ts'
import type { VerifiedProposal } from '../../../base/proof/verify.ts'

type Proposal = VerifiedProposal['proposal']

const DECIDED: readonly Proposal['status'][] = ['passed', 'rejected', 'failed']

/** Empty before the first tally: the chain stores zeros from the submission on. */
const tallyText = ({ status, tally }: Proposal): string => {
  if (!tally) return ''
  const { yes, no, abstain, noWithVeto } = tally
  const isDecided = DECIDED.includes(status)
  if (!isDecided && [yes, no, abstain, noWithVeto].every((amount) => amount === '0')) return ''
  // An expedited vote that fell back has a tally, and its proposal is open again.
  const name = isDecided ? 'final tally' : 'tally of the round before'
  return `, ${name}: yes ${yes}, no ${no}, abstain ${abstain}, no with veto ${noWithVeto}`
}

const NOT_PROVED =
  'Not proved by this: the single votes, which the chain deletes at the end. Recompute the tally from them with "rollcall tally verify".'

export const proofText = ({ proposal, height, steps }: VerifiedProposal): string => {
  const { id, status } = proposal
  return [
    `proposal ${id} at height ${height}: ${status}${tallyText(proposal)}`,
    '',
    ...steps.map(({ proves }, n) => `${n + 1}. ${proves}`),
    '',
    NOT_PROVED,
  ].join('\n')
}

export const proofJson = ({ proposal, height, path, steps }: VerifiedProposal): string =>
  JSON.stringify(
    {
      proposal,
      height: `${height}`,
      steps,
      path: path.map(({ header, hash }) => ({ height: `${header.height}`, hash: hashText(hash) })),
    },
    null,
    2,
  )
