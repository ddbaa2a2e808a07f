// The pages for people as HTML, by name. A page that is not here yet is answered as Markdown.
import { PAGE_FIELDS } from '../infra/html/page-frame.ts'
import { homeHtml } from './html/home.ts'
import { proposalHtml } from './html/proposal.ts'
import { proposalsHtml } from './html/proposals.ts'
import type { Renderers } from './people-page.ts'

export const HTML: Partial<Renderers> = {
  home: homeHtml,
  proposals: proposalsHtml,
  proposal: proposalHtml,
}

/** Name and value in turn. */
export const HTML_FIELDS = PAGE_FIELDS
