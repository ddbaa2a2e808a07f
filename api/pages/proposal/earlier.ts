// The earlier proposals of the same proposer and of the same kind.
import { html } from '../../../infra/base/html/html.ts'
import { drawn, type Inline, link, proposal, quoted, status } from '../../document/line.ts'
import { withQuery } from '../../document/paths.ts'
import { type Block, heading, list, paragraph, section } from '../../document/tree.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'

type Earlier = NonNullable<ProposalPageData['earlier']['ofProposer']>[number]

const OPEN = drawn(html`<span class="tag open">Open</span>`, 'open')

type Group = { title: Inline; items: readonly Earlier[]; all: Inline }

const writeGroup = ({ title, items, all }: Group): readonly Block[] =>
  items.length === 0
    ? []
    : [
        heading(title, 3),
        list(
          items.map((item) => [
            item.status === null ? OPEN : status(item.status),
            ' ',
            proposal({ proposalId: item.proposalId, title: item.title }),
          ]),
          'earlier',
        ),
        paragraph(all, 'small'),
      ]

export const writeEarlier = ({ earlier, proposer, explanations }: ProposalPageData): Block => {
  const { ofProposer, ofKind } = earlier
  const kind = ofKind && explanations.find(({ type }) => type === ofKind.messageType)?.title
  const groups = [
    ...writeGroup({
      title: 'Of this proposer',
      items: ofProposer ?? [],
      all: link(
        withQuery('/proposals', { proposer: proposer ?? '' }),
        'All proposals of this proposer',
      ),
    }),
    ...writeGroup({
      title: ['Of the same kind', kind && [': ', quoted(kind)]],
      items: ofKind?.items ?? [],
      all: link(
        withQuery('/proposals', { messageType: ofKind?.messageType ?? '' }),
        'All proposals of this kind',
      ),
    }),
  ]
  return groups.length > 0 && section({ id: 'earlier', title: 'Earlier proposals' }, ...groups)
}
