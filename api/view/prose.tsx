// Renders the Markdown of proposers. It shows HTML as text and images as links, and marks links as untrusted.
import MarkdownIt from 'markdown-it'
import { readEscapes } from '../words/texts.ts'
import { Details, Listing } from './blocks.tsx'
import { REL } from './parts.tsx'

type Tokens = ReturnType<InstanceType<typeof MarkdownIt>['parse']>
type Token = Tokens[number]

/** Control, bidi and other invisible characters. Line ends, tabs and joiners are kept. */
const INVISIBLE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu
/** The page uses two heading levels above the text. */
const DEMOTED_BY = 2
const LOWEST = 6
const MAX_LENGTH = 200_000
/** A longer text is collapsed after its first paragraph, or after about `OPEN_LENGTH` characters. */
const SHORT_LENGTH = 1_200
const OPEN_LENGTH = 400

/** Absolute only: a relative link would point to this service. */
const isAddress = (url: string): boolean => /^(?:https?:\/\/|mailto:)[^\s]+$/i.test(url.trim())

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })
/** The cost of a line grows with the number of quotes and lists around it. A list has two levels. */
markdown.options.maxNesting = 50
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

const MAX_MARKERS = 20
const MARKER = '[ \\t]*(?:>|(?:[-+*]|[0-9]{1,9}[.)])(?=[ \\t]))'
const NESTED = new RegExp(`^((?:${MARKER}){${MAX_MARKERS}})(?:${MARKER})+`, 'gm')

/** The parser adds missing cells to each row. */
const MAX_CELLS = 5_000
const DELIMITER_ROW = /^[ \t>]*[|:-][|: \t-]*$/

/** The cost of nested quotes and lists, and of wide tables with many rows, grows with the square of the length. */
const boundMarkup = (text: string): string => {
  const lines = text.replace(NESTED, '$1').split('\n')
  let blockEnd = lines.length
  for (let n = lines.length - 1; n >= 0; n--) {
    const line = lines[n] ?? ''
    if (line.trim() === '') blockEnd = n
    const cells = line.includes('|') ? line.split('|').length * (blockEnd - n) : 0
    if (cells > MAX_CELLS && DELIMITER_ROW.test(line)) lines[n] = `\\${line}`
  }
  return lines.join('\n')
}

const prepare = (token: Token): void => {
  if (token.type === 'heading_open' || token.type === 'heading_close') token.tag = demote(token.tag)
  if (token.type === 'link_open') token.attrSet('rel', REL)
  if (token.type === 'table_open') token.attrSet('tabindex', '0')
  for (const child of token.children ?? []) prepare(child)
}

/** If the first part is still longer, only an excerpt is shown. */
const MAX_OPEN_LENGTH = 1_500
const EXCERPT_LENGTH = 600

/** The text can be split between two blocks, or between two items of a top-level list. */
const isBoundary = ({ type, level, nesting }: Token): boolean =>
  (level === 0 && nesting >= 0) || (level === 1 && type === 'list_item_open')

const countCharacters = (tokens: Tokens): number =>
  tokens.reduce((sum, { content }) => sum + content.length, 0)

const findCut = (tokens: Tokens): number => {
  let length = 0
  for (const [at, token] of tokens.entries()) {
    if (length >= OPEN_LENGTH && isBoundary(token)) return at
    length += token.content.length
  }
  return tokens.length
}

/** A split list is closed and opened again. An ordered list keeps its numbering. */
const splitTokens = (tokens: Tokens): [Tokens, Tokens] => {
  if (countCharacters(tokens) <= SHORT_LENGTH) return [tokens, []]
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

function Rendered({ tokens }: { tokens: Tokens }) {
  const __html = markdown.renderer.render(tokens, markdown.options, {})
  return <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html }} />
}

function Rest({ title, tokens }: { title: string; tokens: Tokens }) {
  if (tokens.length === 0) return null
  return (
    <Details id="rest-of-text" summary={title}>
      <Rendered tokens={tokens} />
    </Details>
  )
}

const excerpt = (text: string): string =>
  `${[...text.slice(0, 2 * EXCERPT_LENGTH)].slice(0, EXCERPT_LENGTH).join('')}…`

/** Elsewhere the text as it is. */
export function Prose({ of }: { of: string }) {
  const seen = readEscapes(of)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(INVISIBLE, '')
  if (seen.trim() === '') return <p class="soft">No description.</p>
  const tokens = markdown.parse(boundMarkup(seen.slice(0, MAX_LENGTH)), {})
  for (const token of tokens) prepare(token)
  const [first, others] = splitTokens(tokens)
  const isShort = countCharacters(first) <= MAX_OPEN_LENGTH
  return (
    <>
      {isShort ? (
        <Rendered tokens={first} />
      ) : (
        <div class="prose" dir="auto">
          <p>{excerpt(seen)}</p>
        </div>
      )}
      {isShort ? (
        <Rest title="Rest of the description" tokens={others} />
      ) : (
        <Rest title="Full description" tokens={tokens} />
      )}
      {seen.length > MAX_LENGTH && (
        <p class="soft">
          {seen.length - MAX_LENGTH} more characters are not shown. The JSON has the full text.
        </p>
      )}
    </>
  )
}
Prose.text = ({ of }: { of: string }) =>
  of === '' ? <p>No description.</p> : <Listing>{readEscapes(of)}</Listing>
