// The description of a proposal, as its proposer wrote it.
import {
  type Block,
  listing,
  paragraph,
  picture,
  quotations,
  section,
} from '../../document/tree.ts'
import { readEscapes } from '../../escaped-text.ts'
import { prose } from '../../html/prose.ts'
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import { noteSource } from './head.ts'

const UNTRUSTED = 'Written by the proposer. Its statements and links are not verified.'

export const writeDescription = ({ summary, summarySource }: ProposalPageData): Block =>
  section(
    { id: 'text', title: 'Description' },
    paragraph(UNTRUSTED, 'small soft'),
    quotations('The title and the description'),
    noteSource(summarySource, 'description'),
    picture(
      prose(summary),
      summary === '' ? paragraph('No description.') : listing(readEscapes(summary)),
    ),
  )
