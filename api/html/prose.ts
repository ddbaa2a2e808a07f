// What proposers write, rendered from Markdown: no HTML of theirs, no image is loaded, no link is vouched for.
import MarkdownIt from 'markdown-it'
import { type Html, html, trustedHtml } from '../../infra/html/html.ts'
import { folded } from './elements.ts'

type Tokens = ReturnType<InstanceType<typeof MarkdownIt>['parse']>
type Token = Tokens[number]

/** Controls and what turns letters around or hides between them; line ends, tabs and joiners stay. */
const INVISIBLE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu
/** The page has two levels above. */
const DEMOTED_BY = 2
const LOWEST = 6
const MAX_LENGTH = 200_000
/** About as much as is read without being asked. */
const OPEN_LENGTH = 2_500
/** Of every link that is not Rollcall's own. */
export const REL = 'nofollow noopener ugc'

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

/** A single block that is longer is not shown at once. */
const MAX_OPEN_LENGTH = 3 * OPEN_LENGTH
const EXCERPT_LENGTH = 600

/** Where a reader is left off: between two blocks, or between two items of an outer list. */
const isBoundary = ({ type, level, nesting }: Token): boolean =>
  (level === 0 && nesting >= 0) || (level === 1 && type === 'list_item_open')

const findCut = (tokens: Tokens): number => {
  let length = 0
  for (const [at, token] of tokens.entries()) {
    if (length >= OPEN_LENGTH && isBoundary(token)) return at
    length += token.content.length
  }
  return tokens.length
}

/** A list that is cut is closed before and opened again behind, where it counts on. */
const splitTokens = (tokens: Tokens): [Tokens, Tokens] => {
  const cut = findCut(tokens)
  const [before, after] = [tokens.slice(0, cut), tokens.slice(cut)]
  const [next] = after
  if (next?.level !== 1) return [before, after]
  const open = before.findLast(({ level, nesting }) => level === 0 && nesting === 1)
  const close = after.find(({ level, nesting }) => level === 0 && nesting === -1)
  if (!open || !close) return [before, after]
  if (open.type !== 'ordered_list_open')
    return [
      [...before, close],
      [open, ...after],
    ]
  const again = Object.assign(Object.create(Object.getPrototypeOf(open)), open, {
    attrs: [['start', next.info]],
  })
  return [
    [...before, close],
    [again, ...after],
  ]
}

const box = (content: Html): Html => html`<div class="prose" dir="auto">${content}</div>`

const rendered = (tokens: Tokens): Html =>
  box(trustedHtml(markdown.renderer.render(tokens, markdown.options, {})))

const rest = (title: string, tokens: Tokens): Html | null =>
  tokens.length === 0 ? null : folded('rest-of-text', title, rendered(tokens))

const countCharacters = (tokens: Tokens): number =>
  tokens.reduce((sum, { content }) => sum + content.length, 0)

const excerpt = (text: string): Html => {
  const letters = [...text.slice(0, 2 * EXCERPT_LENGTH)].slice(0, EXCERPT_LENGTH)
  return html`<p>${letters.join('')}…</p>`
}

const more = (count: number): Html =>
  html`<p class="soft">The text goes on for ${count} more characters; all of it is in the JSON.</p>`

export const prose = (text: string): Html => {
  const seen = text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(INVISIBLE, '')
  if (seen.trim() === '') return html`<p class="soft">The proposer wrote nothing.</p>`
  const tokens = markdown.parse(seen.slice(0, MAX_LENGTH), {})
  for (const token of tokens) prepare(token)
  const [first, others] = splitTokens(tokens)
  const beyond = seen.length > MAX_LENGTH && more(seen.length - MAX_LENGTH)
  if (countCharacters(first) <= MAX_OPEN_LENGTH)
    return html`${rendered(first)}${rest('The rest of the text', others)}${beyond}`
  return html`${box(excerpt(seen))}${rest('The whole text', tokens)}${beyond}`
}
