// Links to other sites in untrusted texts. They are shown, and nothing is fetched.
import { type Html, type HtmlValue, html } from '../../infra/base/html/html.ts'
import { isWebLink } from '../../projections/contract/web-link.ts'
import { plainLine } from '../plain-text.ts'

/** The `rel` of every external link. */
export const REL = 'nofollow noopener ugc'

export const externalLink = (url: string, label: HtmlValue): Html =>
  html`<a rel="${REL}" href="${url}">${label}</a>`

const URLS = /((?:https?|ipfs):\/\/[^\s"'<>\\`]+)/i
/** Marks at the end of a URL belong to the text. */
const END_MARKS = /[.,;:!?)\]}]+$/
/** The end of a text that was cut: its last URL is not whole. */
const CUT = '…'

const linked = (part: string): HtmlValue => {
  const [url = ''] = part.split(END_MARKS)
  if (part.endsWith(CUT) || !isWebLink(url)) return part
  return [externalLink(url, url), part.slice(url.length)]
}

/** An untrusted text on one line, with links. */
export const linkedText = (text: string): Html => {
  const parts = plainLine(text).split(URLS)
  return html`<bdi dir="auto">${parts.map((part, n) => (n % 2 === 1 ? linked(part) : part))}</bdi>`
}
