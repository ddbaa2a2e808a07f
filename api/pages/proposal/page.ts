// `/proposals/{proposalId}`: one proposal: its state, its vote, what it does, and how to check the count.
import type { PageContext } from '../../document/context.ts'
import { quoted } from '../../document/line.ts'
import { proposalPath } from '../../document/paths.ts'
import { article } from '../../document/tree.ts'
import { proposalDescription, proposalHeadline } from '../../headline.ts'
import { PROOF_SCRIPT, TABLE_SCRIPT } from '../../html/assets.ts'
import { BAR_PATTERNS } from '../../html/bar.ts'
import { proposalData } from '../../html/structured-data.ts'
import { isOpen } from '../../proposal-status.ts'
import { type ProposalPageData, proposalPage as requested } from '../../resources/proposal-page.ts'
import type { Page } from '../page.ts'
import { writeDepositPeriod, writeDeposits } from './deposits.ts'
import { writeDescription } from './description.ts'
import { writeDetails } from './details.ts'
import { writeEvidence } from './evidence.ts'
import { writeHead } from './head.ts'
import { writeMessages } from './messages.ts'
import { writeMoreData } from './more-data.ts'
import { writeNonVoting } from './non-voting.ts'
import { writePowerMap } from './power-map.ts'
import { canBeProved, writeProof } from './proof.ts'
import { writeRounds } from './rounds.ts'
import { writeTally } from './tally.ts'
import { writeTurnout } from './turnout.ts'
import { writeVotes } from './votes.ts'

const SECTIONS = [
  writeHead,
  writeRounds,
  writeDepositPeriod,
  writeTally,
  writePowerMap,
  writeDescription,
  writeMessages,
  writeTurnout,
  writeVotes,
  writeNonVoting,
  writeEvidence,
  writeProof,
  writeDeposits,
  writeDetails,
  writeMoreData,
]

const write = (proposal: ProposalPageData, at: PageContext) => {
  const { proposalId, title, asOf, round, extras } = proposal
  const isOther = round !== null && extras.shownRound !== round
  return {
    title: proposalHeadline(proposal),
    description: proposalDescription(proposal, asOf),
    path: `${proposalPath(proposalId)}${isOther ? `?round=${extras.shownRound}` : ''}`,
    json: `/api/proposals/${proposalId}`,
    data: proposalData(proposal, at),
    asOf,
    scripts: canBeProved(proposal) ? [TABLE_SCRIPT, PROOF_SCRIPT] : [TABLE_SCRIPT],
    stream: isOpen(proposal) ? `/api/stream?proposalId=${proposalId}` : undefined,
    top: BAR_PATTERNS,
    heading: [`Proposal ${proposalId}: `, quoted(title, '(no title)')],
    blocks: [article(...SECTIONS.map((writeSection) => writeSection(proposal, at)))],
  }
}

export const proposalPage: Page<ProposalPageData> = {
  name: 'proposal',
  path: requested.path,
  parseRequest: requested.parseRequest,
  write,
  isSettled: ({ tally }) => tally?.final === true,
}
