// The earlier proposals of the same proposer and of the same kind, as Markdown.

import type { PageContext } from '../document/context.ts'
import { inline, inlineOr, link, list } from '../document/markdown/text.ts'
import { statusName } from '../proposal-status.ts'
import type { PageData } from '../resources/page-data.ts'

type Detail = PageData['proposal']
type Earlier = NonNullable<Detail['earlier']['ofProposer']>

const group = (
  { name, items, filter }: { name: string; items: Earlier; filter: Record<string, string> },
  { baseUrl }: PageContext,
): string[] => {
  if (items.length === 0) return []
  const lines = items.map(({ proposalId, title, status }) => {
    const proposal = link(`Proposal ${proposalId}`, `${baseUrl}/proposals/${proposalId}`)
    const state = status === null ? 'Open' : inline(statusName(status))
    return `${proposal}, ${state}: ${inlineOr(title, '(no title)')}`
  })
  const all = link('all of them', `${baseUrl}/proposals?${new URLSearchParams(filter)}`)
  return [`${name}, newest first (${all}):`, list(...lines)]
}

/** Empty if there are none. Titles are quoted from the chain. */
export const earlierMarkdown = ({ earlier, proposer }: Detail, at: PageContext): string[] => {
  const { ofProposer, ofKind } = earlier
  const groups = [
    ...(ofProposer
      ? group(
          { name: 'Of this proposer', items: ofProposer, filter: { proposer: proposer ?? '' } },
          at,
        )
      : []),
    ...(ofKind
      ? group(
          {
            name: `Of the same kind, ${inline(ofKind.messageType)}`,
            items: ofKind.items,
            filter: { messageType: ofKind.messageType },
          },
          at,
        )
      : []),
  ]
  return groups.length === 0 ? [] : ['## Earlier proposals', ...groups]
}
