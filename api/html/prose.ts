// What proposers write, rendered from Markdown: no HTML of theirs, no image is loaded, no link is vouched for.
import MarkdownIt from 'markdown-it'
import { type Html, html, trustedHtml } from '../../infra/html/html.ts'

type Tokens = ReturnType<InstanceType<typeof MarkdownIt>['parse']>
type Token = Tokens[number]

/** Controls and what turns letters around or hides between them; line ends, tabs and joiners stay. */
const UNSEEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu
/** The page has two levels above. */
const DEMOTED_BY = 2
const LOWEST = 6
const MAX_LENGTH = 200_000
/** About as much as is read without being asked. */
const OPEN_LENGTH = 2_500
const REL = 'nofollow noopener ugc'

/** Absolute only: a relative link would lead somewhere here. */
const isAddress = (url: string): boolean => /^(?:https?:\/\/|mailto:)[^\s]+$/i.test(url.trim())

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
markdown.validateLink = isAddress

const demote = (tag: string): string => `h${Math.min(Number(tag.slice(1)) + DEMOTED_BY, LOWEST)}`

markdown.renderer.rules['image'] = (tokens, at) => {
  const token = tokens[at]
  const url = token?.attrGet('src') ?? ''
  const { escapeHtml } = markdown.utils
  const name = `Image: ${token?.content || 'without a description'}`
  return `<a rel="${REL}" href="${escapeHtml(`${url}`)}">${escapeHtml(name)}</a>`
}

const prepare = (token: Token): void => {
  if (token.type === 'heading_open' || token.type === 'heading_close') token.tag = demote(token.tag)
  if (token.type === 'link_open') token.attrSet('rel', REL)
  if (token.type === 'table_open') token.attrSet('tabindex', '0')
  for (const child of token.children ?? []) prepare(child)
}

/** Where the second part begins: between two blocks, never inside one. */
const cutOf = (tokens: Tokens, lengths: readonly number[]): number => {
  let length = 0
  for (const [at, token] of tokens.entries()) {
    if (token.level === 0 && token.nesting >= 0 && length >= OPEN_LENGTH) return at
    length += lengths[at] ?? 0
  }
  return tokens.length
}

const lengthsOf = (tokens: Tokens): number[] => tokens.map(({ content }) => content.length)

export const prose = (text: string): Html => {
  const seen = text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(UNSEEN, '')
  if (seen.trim() === '') return html`<p class="soft">The proposer wrote nothing.</p>`
  const tokens = markdown.parse(seen.slice(0, MAX_LENGTH), {})
  for (const token of tokens) prepare(token)
  const render = (some: Tokens) => trustedHtml(markdown.renderer.render(some, markdown.options, {}))
  const cut = cutOf(tokens, lengthsOf(tokens))
  const rest = tokens.slice(cut)
  return html`<div class="prose" dir="auto">${render(tokens.slice(0, cut))}</div>
${rest.length > 0 && html`<details id="rest-of-text"><summary>The rest of the text</summary><div class="prose" dir="auto">${render(rest)}</div></details>`}
${seen.length > MAX_LENGTH && html`<p class="soft">The text goes on for ${seen.length - MAX_LENGTH} more characters; all of it is in the JSON.</p>`}`
}
