// More facts of a proposal: who submitted it with which deposit, and what its metadata says.
import { html } from '../../../infra/base/html/html.ts'
import {
  code,
  coins,
  drawn,
  type Inline,
  link,
  quoted,
  time,
  transaction,
  UNKNOWN,
} from '../../document/line.ts'
import { voterPath, withQuery } from '../../document/paths.ts'
import { type Block, namedFacts, section } from '../../document/tree.ts'
import { linkedText } from '../../html/linked-text.ts'
import { plainLine } from '../../plain-text.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'

const LONGEST_METADATA = 1_000

/** One line of at most `length` characters, without unpaired surrogates. */
const truncate = (text: string, length: number): string => {
  const letters = [...plainLine(text)]
  return letters.length <= length ? letters.join('') : `${letters.slice(0, length).join('')}…`
}

const describeProposer = ({ proposer }: ProposalPageData): Inline => {
  if (proposer === null) return UNKNOWN
  const others = withQuery('/proposals', { proposer })
  return [
    link(voterPath(proposer), code(proposer)),
    ' ',
    link(others, 'all proposals of this account', 'small'),
  ]
}

const describeMetadata = (metadata: string): Inline =>
  drawn(
    html`<span class="metadata">${linkedText(truncate(metadata, LONGEST_METADATA))}</span>`,
    quoted(metadata),
  )

export const writeDetails = (proposal: ProposalPageData): Block => {
  const { totalDeposit, metadata, submittedAt, failedReason, depositEndTime } = proposal
  const { authors, forumUrl } = proposal
  const { txHash = null, height = null } = submittedAt ?? {}
  const authorList = authors.map((author, n) => [n > 0 && ', ', quoted(author)])
  return section(
    { id: 'details', title: 'Details' },
    namedFacts(
      { id: 'facts', isLive: true },
      ['Proposer', describeProposer(proposal)],
      ['Deposit', coins(totalDeposit)],
      ['Deposit period ends', time(depositEndTime)],
      txHash !== null && ['Transaction', transaction(txHash, height)],
      authors.length > 0 && ['Authors (from the metadata)', authorList],
      forumUrl !== null && [
        'Forum (from the metadata)',
        drawn(linkedText(forumUrl), quoted(forumUrl)),
      ],
      metadata !== '' && ['Metadata', describeMetadata(metadata)],
      failedReason !== null && ['Failure reason', quoted(failedReason)],
    ),
  )
}
