// The earlier proposals of the same proposer and of the same kind, on the page of a proposal.

import { type Html, html } from '../../infra/base/html/html.ts'
import type { PageContext } from '../document/context.ts'
import { section } from '../document/html/elements.ts'
import { link, proposalLink, statusTag, untrustedText } from '../document/html/inline.ts'
import { encodePathSegment } from '../document/paths.ts'
import type { PageData } from '../resources/page-data.ts'

type Detail = PageData['proposal']
type Earlier = NonNullable<Detail['earlier']['ofProposer']>[number]

const OPEN = html`<span class="tag open">Open</span>`

const earlierItem = (proposal: Earlier, at: PageContext): Html =>
  html`<li>${proposal.status === null ? OPEN : statusTag(proposal.status)} ${proposalLink(proposal, at)}</li>`

type Group = { title: Html; items: readonly Earlier[]; all: Html }

const group = ({ title, items, all }: Group, at: PageContext): Html | null =>
  items.length === 0
    ? null
    : html`
<h3>${title}</h3>
<ul class="earlier">${items.map((item) => earlierItem(item, at))}</ul>
<p class="small">${all}</p>`

export const earlierSection = (proposal: Detail, at: PageContext): Html | null => {
  const { earlier, proposer, explanations } = proposal
  const { ofProposer, ofKind } = earlier
  const ofSame =
    ofProposer &&
    group(
      {
        title: html`Of this proposer`,
        items: ofProposer,
        all: link(
          `/proposals?proposer=${encodePathSegment(proposer ?? '')}`,
          'All proposals of this proposer',
          at,
        ),
      },
      at,
    )
  const kind = ofKind && explanations.find(({ type }) => type === ofKind.messageType)?.title
  const ofSameKind =
    ofKind &&
    group(
      {
        title: html`Of the same kind${kind && html`: ${untrustedText(kind)}`}`,
        items: ofKind.items,
        all: link(
          `/proposals?messageType=${encodePathSegment(ofKind.messageType)}`,
          'All proposals of this kind',
          at,
        ),
      },
      at,
    )
  if (!ofSame && !ofSameKind) return null
  return section({ id: 'earlier', title: 'Earlier proposals' }, html`${ofSame}${ofSameKind}`)
}
