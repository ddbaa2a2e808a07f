// The proof of the result: verified in the browser or with the command, without trust in Rollcall.
import type { PageContext } from '../../document/context.ts'
import { anchor, command, link, quoted } from '../../document/line.ts'
import { withQuery } from '../../document/paths.ts'
import { type Block, paragraph, picture, section } from '../../document/tree.ts'
import { proofForm } from '../../html/proof-form.ts'
import { plainReason } from '../../in-words.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'

/** Statuses with a result that the chain stores. */
const DECIDED: ReadonlySet<string> = new Set(['passed', 'rejected', 'failed'])

export const canBeProved = ({ status }: ProposalPageData): boolean =>
  DECIDED.has(status) || status === 'voting_period'

const OPEN = paragraph(
  'After the vote, the chain can prove the result. ' +
    'You can then check the proof here, and need not trust Rollcall.',
)

const PROVED = [
  paragraph(
    'The chain itself can prove the status and the final tally of this proposal, ' +
      'so you need not trust Rollcall. You need the hash of one block (its fingerprint) ' +
      'from a source that you trust, such as a block explorer.',
  ),
  paragraph([
    'Validators with more than two thirds of the stake have signed the result. ' +
      'The proof does not cover single votes, because the chain deletes them after the vote: ',
    anchor('evidence', 'check the count'),
    ' instead.',
  ]),
]

const NO_PROOF_OF_PAST = paragraph(
  'Rollcall has no proof of the result. ' +
    'Reason: the vote ended before the first indexed height.',
)

const byCommand = (
  { proposalId, round }: { proposalId: string; round: number },
  { baseUrl }: PageContext,
): Block => {
  // The round is explicit: right after the vote, the latest proof is still from the submission.
  const path = withQuery(`/api/proposals/${proposalId}/proof`, { round: `${round}` })
  const url = baseUrl === '' ? 'URL' : baseUrl
  return paragraph([
    'For developers, with the command: ',
    command(
      `rollcall proof verify ${proposalId} --round ${round} --trust HEIGHT:HASH --url ${url}`,
    ),
    '. The data: ',
    link(path, 'Proof (JSON)'),
    '.',
  ])
}

/** Without the proof: the script requests it. A result without a time is from before the first indexed height. */
const writeContent = (proposal: ProposalPageData, at: PageContext): readonly Block[] => {
  const { proposalId, status, closedTime, history, historyReason, extras } = proposal
  if (!DECIDED.has(status)) return [OPEN]
  if (history === 'reconstructed') return [NO_PROOF_OF_PAST]
  if (closedTime === null) {
    const reason = quoted(plainReason(historyReason ?? ''))
    return [paragraph(['Rollcall has no proof of the result. Reason: ', reason, '.'])]
  }
  const proved = { proposalId, round: extras.shownRound }
  return [...PROVED, picture(proofForm(proved, at)), byCommand(proved, at)]
}

export const writeProof = (proposal: ProposalPageData, at: PageContext): Block =>
  canBeProved(proposal) &&
  section({ id: 'proof', title: 'Proof', isLive: true }, ...writeContent(proposal, at))
