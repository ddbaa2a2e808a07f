// Escapes untrusted texts in Markdown (CommonMark with GitHub tables), so that they contain no markup.

/** Controls, unpaired surrogates, and invisible format characters such as bidi controls; joiners are kept. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu
const LINE_ENDS = /\r\n|[\r\n\u2028\u2029]/g

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' }

/** The text on one line, without invisible characters. */
export const plainLine = (text: string): string =>
  text.replace(LINE_ENDS, ' ').replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim()

/** Escapes a text within a line: no markup, no automatic links, no end of a table cell. */
export const inline = (text: string): string =>
  plainLine(text)
    .replace(/[<>&]/g, (mark) => ENTITIES[mark] ?? '')
    .replace(/[\\`*_[\]|~#$@!^{}]/g, '\\$&')
    .replace(/:\/\//g, '\\://')
    .replace(/\b(mailto|xmpp):/gi, '$1\\:')
    .replace(/www\./gi, (found) => `${found.slice(0, -1)}\\.`)
    .replace(/^[-+=]/, '\\$&')
    .replace(/^([0-9]+)([.)])/, '$1\\$2')

/** `inline`, or `otherwise` if the text is empty. */
export const inlineOr = (text: string | null | undefined, otherwise: string): string =>
  (text && inline(text)) || otherwise

/** A code block with a fence that the text cannot close. */
export const fenced = (text: string): string => {
  const lines = text
    .split(LINE_ENDS)
    .map((line) => line.replace(/\t/g, '    ').replace(INVISIBLE, ''))
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? [])
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 0)
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return [`${fence}text`, ...lines, fence].join('\n')
}

/** `href` is a URL of this service, with percent-encoded values. */
export const link = (text: string, href: string): string =>
  `[${inline(text)}](<${href.replace(/[<>\\\s]/g, encodeURIComponent)}>)`

/** Cells are Markdown already. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Joins blocks with empty lines and leaves out missing ones. */
export const blocks = (...parts: readonly (string | false | null | undefined)[]): string =>
  `${parts.filter(Boolean).join('\n\n')}\n`

export const list = (...items: readonly (string | null)[]): string =>
  items
    .filter((item) => item !== null)
    .map((item) => `- ${item}`)
    .join('\n')
