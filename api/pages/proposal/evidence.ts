// How the count is checked: it is compared with the tally of the chain, and its evidence can be read.
import { baseAmount, command, type Inline, link, quoted } from '../../document/line.ts'
import { addFormat, withQuery } from '../../document/paths.ts'
import { type Block, folded, list, numbers, paragraph, section } from '../../document/tree.ts'
import { plainReason } from '../../in-words.ts'
import { OPTIONS } from '../../options.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import type { Tally } from '../../schemas/tally.ts'
import { describeHistory } from './history.ts'
import { matchBadge } from './match-badge.ts'

const MEANINGS: Readonly<Record<Tally['matchesChain'], string>> = {
  yes:
    'Rollcall counted all votes again, from every ballot and every delegation. ' +
    'Its result equals that of the chain to the last unit, for every option.',
  no: 'Rollcall counted all votes again, and its result differs from that of the chain.',
  unknown:
    'Rollcall could not count all votes again, or the result of the chain is not known. ' +
    'The numbers above are from the chain, where they are known.',
}

const CAPTION =
  'In the smallest unit of the chain. Rollcall truncates to whole units once, as the chain does.'

const compareResults = ({ compared }: ProposalPageData['extras']): Block => {
  if (!compared) return null
  const { computed, chain } = compared
  const table = numbers({
    label: 'Both results',
    caption: CAPTION,
    columns: ['Option', 'Rollcall', 'Chain'],
    rows: OPTIONS.map(({ sum, label }) => [
      label,
      baseAmount(computed[sum]),
      baseAmount(chain[sum]),
    ]),
  })
  return folded('evidence-numbers', 'Both results in numbers', table)
}

const OPEN = paragraph(
  'The vote is open. Rollcall counts every ballot with the delegations of its voter. ' +
    'When the vote closes, it compares its count with the result of the chain.',
)

const REPORTED = paragraph(
  'The vote is open. The numbers are those that a node of the chain reports. ' +
    'When the vote closes, they are the result of the chain.',
)

const describeResult = (tally: Tally, extras: ProposalPageData['extras']): readonly Block[] => {
  if (!tally.final) return [tally.rule.reported ? REPORTED : OPEN]
  const { matchesChain, matchesChainReason } = tally
  const reason: Inline = matchesChainReason !== null && [
    ' Reason: ',
    quoted(plainReason(matchesChainReason)),
    '.',
  ]
  return [
    paragraph(matchBadge(matchesChain)),
    paragraph([MEANINGS[matchesChain], reason]),
    compareResults(extras),
  ]
}

const verificationHelp = (proposalId: string): Block =>
  folded(
    'evidence-how',
    'What the evidence contains, and how to check it',
    paragraph([
      'For every voter: the options with their weights, and each delegation with its shares, ' +
        'as they were in the block of the count. ' +
        'For every validator: its stake and its shares. ' +
        'With the rules that applied, you can recompute the result. Developers run ',
      command(`rollcall tally verify ${proposalId}`),
      ': it reads only this evidence and prints each step.',
    ]),
  )

export const writeEvidence = (proposal: ProposalPageData): Block => {
  const { tally, proposalId, extras, round } = proposal
  if (!tally) return null
  const api = `/api/proposals/${proposalId}`
  const query = { round: extras.rounds.length > 1 ? `${extras.shownRound}` : '' }
  const ballots = withQuery(`${api}/ballots`, query)
  const history = describeHistory(proposal)
  return section(
    { id: 'evidence', title: 'Check the count', isLive: true },
    ...describeResult(tally, extras),
    history !== null && paragraph(history),
    round !== null && verificationHelp(proposalId),
    list([
      link(withQuery(`${api}/evidence`, query), 'Evidence (JSON)'),
      link(ballots, 'Ballots (JSON)'),
      link(addFormat(ballots, 'csv'), 'Ballots (CSV)'),
      link(`${api}/events`, 'Events (JSON)'),
    ]),
  )
}
