// A verified proposal as text for a terminal and as JSON. Pure.
import { hashText } from '../../proof/light-block.ts'
import type { VerifiedProposal } from '../../proof/verify.ts'

const tallyText = (tally: NonNullable<VerifiedProposal['proposal']['tally']>): string =>
  `yes ${tally.yes}, no ${tally.no}, abstain ${tally.abstain}, no with veto ${tally.noWithVeto}`

const NOT_PROVED =
  'Not proved by this: the single votes, which the chain deletes at the end. Recompute the tally from them with "rollcall tally verify".'

export const proofText = ({ proposal, height, steps }: VerifiedProposal): string => {
  const { id, status, tally } = proposal
  const counted = tally ? `, final tally: ${tallyText(tally)}` : ''
  return [
    `proposal ${id} at height ${height}: ${status}${counted}`,
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
