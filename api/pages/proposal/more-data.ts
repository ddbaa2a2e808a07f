// The same data as JSON, for programs: a page of HTML has these links beside its parts.

import type { PageContext } from '../../document/context.ts'
import { type Inline, link } from '../../document/line.ts'
import { type Block, heading, list, outsideHtml } from '../../document/tree.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'

export const writeMoreData = (
  { proposalId, messagesTruncated, links }: ProposalPageData,
  { baseUrl }: PageContext,
): Block => {
  const api = `/api/proposals/${proposalId}`
  const lists: Inline[] = [
    link(`${api}/votes`, 'Votes'),
    link(`${api}/deposits`, 'deposits'),
    link(`${api}/ballots`, 'ballots'),
    link(`${api}/turnout`, 'turnout over time'),
    link(`${api}/events`, 'events'),
    link(`${api}/evidence`, 'evidence of the tally'),
    ...(links.proof === null
      ? []
      : [link(links.proof.slice(baseUrl.length), 'proof by the chain')]),
  ]
  const messages = messagesTruncated
    ? ['; ', link(`${api}/messages`, 'all of its messages')]
    : ', with its messages'
  return outsideHtml(
    heading('More data, as JSON'),
    list([[link(api, 'This proposal'), messages], lists.map((each, n) => [n > 0 && ', ', each])]),
  )
}
