// Renders components as HTML. Every text is escaped; only what `dangerouslySetInnerHTML` is given is markup.
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** Characters that HTML does not allow: controls except tab and line ends, unpaired surrogates, U+FFFE and U+FFFF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const NO_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/gu

/** Bidi controls would affect the text that follows. Elements set the text direction instead. */
const BIDI_CONTROLS = /\p{Bidi_Control}/gu

/** `context` is the second argument of every component. */
export function renderMarkup<Props>(node: VNode<Props>, context?: unknown): string {
  return renderToString(node, context).replace(NO_CHARACTER, '\ufffd').replace(BIDI_CONTROLS, '')
}

export function renderPage(page: VNode, context?: unknown): string {
  return `<!doctype html>${renderMarkup(page, context)}\n`
}

/** Characters that could end the element or change the direction of the text. */
const IN_DATA = /[<>&\u2028\u2029]|\p{Bidi_Control}/gu

const unicodeEscape = (mark: string): string =>
  `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`

/** JSON-LD in the head of a page. Escapes keep the parsed data the same. */
export function StructuredData({ data }: { data: object }) {
  const __html = JSON.stringify(data).replace(IN_DATA, unicodeEscape)
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html }} />
}
