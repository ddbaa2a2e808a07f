// The Markdown of a page: one walk over its components, with a rule for each element, and one place that escapes. Markdown is
// CommonMark with the tables of GitHub.
import { type ComponentChildren, Fragment, isValidElement, type VNode } from 'preact'
import { toRootPath } from '../../infra/base/html/page-frame.tsx'
import { plainLines, plainPart } from '../words/texts.ts'
import type { PageContext } from './paths.ts'

type Props = Readonly<Record<string, unknown>> & { children?: ComponentChildren }
type Element = VNode<Props> & { type: string }
type Component = {
  (props: Props, at: PageContext): ComponentChildren
  /** What formats without drawings say instead. */
  text?(props: Props, at: PageContext): ComponentChildren
}

/** A part of a line: a text that is still to be escaped, or Markdown. */
type Piece = string | { markdown: string }

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' }

/** Most texts, such as addresses and numbers: nothing in them is escaped. */
const IS_PLAIN = /^[A-Za-z0-9 ,;%()/-]*$/

/** No markup, no automatic links, no end of a table cell. Digits are grouped by spaces that break. */
const escapeText = (text: string): string => {
  if (IS_PLAIN.test(text) && !text.includes('  ')) return text
  return plainPart(text)
    .replace(/[<>&]/g, (mark) => ENTITIES[mark] ?? '')
    .replace(/[\\`*_[\]|~#$@!^{}]/g, '\\$&')
    .replace(/:\/\//g, '\\://')
    .replace(/\b(mailto|xmpp):/gi, '$1\\:')
    .replace(/www\./gi, (found) => `${found.slice(0, -1)}\\.`)
}

/** What would begin a list or a heading. */
const escapeStart = (line: string): string =>
  line.replace(/^[-+=]/, '\\$&').replace(/^([0-9]+)([.)])(?=\s|$)/, '$1\\$2')

/** Elements, and the texts between them, without components. Hidden ones are left out. Parsed JSON is no element. */
const flatten = (node: ComponentChildren, at: PageContext, into: (string | Element)[] = []) => {
  if (Array.isArray(node)) for (const each of node) flatten(each, at, into)
  else if (isValidElement(node)) {
    const { type, props } = node as VNode<Props>
    if (type === Fragment) flatten(props.children, at, into)
    else if (typeof type === 'function') {
      const component = type as Component
      flatten(component.text ? component.text(props, at) : component(props, at), at, into)
    } else if (!isHidden(props)) into.push(node as Element)
  } else if (typeof node === 'string' || typeof node === 'number' || typeof node === 'bigint') {
    into.push(`${node}`)
  }
  return into
}

const isHidden = ({ hidden, class: look, 'aria-hidden': isSign }: Props): boolean =>
  hidden === true || look === 'hidden' || isSign === 'true'

/** Of each page, because a page may have thousands of links. */
const origins = new WeakMap<PageContext, string>()

const originOf = (at: PageContext): string => {
  const { baseUrl } = at
  const origin =
    origins.get(at) ??
    baseUrl.slice(0, baseUrl.length - toRootPath(baseUrl).length).replace(/\/$/, '')
  origins.set(at, origin)
  return origin
}

/** `href` is a URL of this service: other links are their labels. */
const toLink = (label: string, href: string, at: PageContext): string =>
  `[${label}](<${originOf(at)}${href.replace(/[<>\\\s]/g, encodeURIComponent)}>)`

/** A code block with a fence that the text cannot close. */
const toFenced = (text: string): string => {
  const lines = plainLines(text)
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? [])
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 0)
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return [`${fence}text`, ...lines, fence].join('\n')
}

const readText = (node: ComponentChildren, at: PageContext): string =>
  flatten(node, at)
    .map((part) => (typeof part === 'string' ? part : readText(part.props.children, at)))
    .join('')

type Rule<Result> = (props: Props, at: PageContext) => Result

const INLINE: Readonly<Record<string, Rule<Piece[]>>> = {
  a: ({ href, children }, at) =>
    typeof href === 'string' && href.startsWith('/')
      ? [{ markdown: toLink(toLine(children, at), href, at) }]
      : toPieces(flatten(children, at), at),
  // An address is a text; a command is code.
  code: ({ class: look, children }, at) => {
    const text = readText(children, at)
    return look === 'code' || /[`\n]/.test(text)
      ? [text]
      : [{ markdown: `\`${plainPart(text).replaceAll('|', '\\|')}\`` }]
  },
  strong: ({ children }, at) => [{ markdown: `**${toLine(children, at)}**` }],
  q: ({ children }, at) => ['“', ...toPieces(flatten(children, at), at), '”'],
  time: ({ datetime, children }, at) => [String(datetime ?? readText(children, at))],
  br: () => ['; '],
  svg: () => [],
  form: () => [],
  script: () => [],
}

const toPieces = (
  parts: readonly (string | Element)[],
  at: PageContext,
  into: Piece[] = [],
): Piece[] => {
  for (const part of parts) {
    if (typeof part === 'string') into.push(part)
    else {
      const rule = INLINE[part.type]
      if (rule) into.push(...rule(part.props, at))
      else toPieces(flatten(part.props.children, at), at, into)
    }
  }
  return into
}

/** The one place that escapes: adjacent texts are escaped together, so that no markup begins in one and ends in the other. */
const joinPieces = (pieces: readonly Piece[]): string => {
  let line = ''
  let text = ''
  const flush = () => {
    if (text !== '') line += escapeText(text)
    text = ''
  }
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece
      continue
    }
    flush()
    line += piece.markdown
  }
  flush()
  return escapeStart(line.trim())
}

const toLine = (node: ComponentChildren, at: PageContext): string =>
  joinPieces(typeof node === 'string' ? [node] : toPieces(flatten(node, at), at))

const toItems = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n')

const elements = (node: ComponentChildren, at: PageContext): Element[] =>
  flatten(node, at).filter((part) => typeof part !== 'string')

const toHeading =
  (level: number): Rule<string> =>
  ({ children }, at) =>
    `${'#'.repeat(level)} ${toLine(children, at)}`

const toBlocks: Rule<string> = ({ children }, at) => writeBlocks(flatten(children, at), at)

const toList: Rule<string> = ({ children }, at) =>
  toItems(elements(children, at).map(({ props }) => toLine(props.children, at)))

/** A line for each value, with its name. */
const toFacts: Rule<string> = ({ children }, at) => {
  let name = ''
  return toItems(
    elements(children, at).flatMap(({ type, props }) => {
      const line = toLine(props.children, at)
      if (type === 'dd') return [`${name}: ${line}`]
      name = line
      return []
    }),
  )
}

const toTable: Rule<string> = ({ children }, at) => {
  const parts = elements(children, at)
  const caption = parts.find(({ type }) => type === 'caption')
  const rows = parts
    .filter(({ type }) => type !== 'caption')
    .flatMap((part) => (part.type === 'tr' ? part : elements(part.props.children, at)))
    .map(({ props }) => elements(props.children, at).map((cell) => toLine(cell.props.children, at)))
  const [head = [], ...others] = rows
  const lines = [
    head,
    head.map(() => '---'),
    ...others.map((row) => head.map((_, n) => row[n] ?? '')),
  ]
  return joinBlocks([
    caption ? toLine(caption.props.children, at) : '',
    lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
  ])
}

const BLOCKS: Readonly<Record<string, Rule<string>>> = {
  h1: toHeading(1),
  h2: toHeading(2),
  h3: toHeading(3),
  h4: toHeading(4),
  p: ({ children }, at) => toLine(children, at),
  ul: toList,
  ol: toList,
  dl: toFacts,
  table: toTable,
  pre: ({ children }, at) => toFenced(readText(children, at)),
  details: toBlocks,
  summary: ({ children }, at) => `**${toLine(children, at)}**`,
  article: toBlocks,
  aside: toBlocks,
  div: toBlocks,
  figure: toBlocks,
  figcaption: toBlocks,
  header: toBlocks,
  nav: toBlocks,
  section: toBlocks,
}

const joinBlocks = (blocks: readonly string[]): string => blocks.filter(Boolean).join('\n\n')

/** What is in a line between two blocks is a paragraph. */
const writeBlocks = (parts: readonly (string | Element)[], at: PageContext): string => {
  const blocks: string[] = []
  let line: (string | Element)[] = []
  const flush = () => {
    blocks.push(joinPieces(toPieces(line, at)))
    line = []
  }
  for (const part of parts) {
    const rule = typeof part === 'string' ? undefined : BLOCKS[part.type]
    if (typeof part === 'string' || rule === undefined) line.push(part)
    else {
      flush()
      blocks.push(rule(part.props, at))
    }
  }
  flush()
  return joinBlocks(blocks)
}

/** Blocks with an empty line between them. */
export function renderMarkdown(node: ComponentChildren, at: PageContext): string {
  return writeBlocks(flatten(node, at), at)
}
