// Texts of strangers inside our Markdown (CommonMark with GitHub's tables): each stays in its place, whatever it says.

/** Controls, unpaired surrogates, and invisible format characters such as bidi controls; joiners are kept. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu
const LINE_ENDS = /\r\n|[\r\n\u2028\u2029]/g

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' }

/** One line of it, as a reader is to see it. */
export const plainLine = (text: string): string =>
  text.replace(LINE_ENDS, ' ').replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim()

/** Within a line: nothing in it is markup, an address, or the end of a table's cell. */
export const inline = (text: string): string =>
  plainLine(text)
    .replace(/[<>&]/g, (mark) => ENTITIES[mark] ?? '')
    .replace(/[\\`*_[\]|~#$@!^{}]/g, '\\$&')
    .replace(/:\/\//g, '\\://')
    .replace(/\b(mailto|xmpp):/gi, '$1\\:')
    .replace(/www\./gi, (found) => `${found.slice(0, -1)}\\.`)
    .replace(/^[-+=]/, '\\$&')
    .replace(/^([0-9]+)([.)])/, '$1\\$2')

/** `inline`, or what to say where there is none. */
export const inlineOr = (text: string | null | undefined, otherwise: string): string =>
  (text && inline(text)) || otherwise

/** Several lines as they are, in a fence that they cannot close. */
export const fenced = (text: string): string => {
  const lines = text
    .split(LINE_ENDS)
    .map((line) => line.replace(/\t/g, '    ').replace(INVISIBLE, ''))
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? [])
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 0)
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return [`${fence}text`, ...lines, fence].join('\n')
}

/** `href` is ours; what stands in it is percent-encoded already. */
export const link = (text: string, href: string): string =>
  `[${inline(text)}](<${href.replace(/[<>\\\s]/g, encodeURIComponent)}>)`

/** Cells are Markdown already. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Blocks apart by an empty line; those that are not there are left out. */
export const blocks = (...parts: readonly (string | null | undefined)[]): string =>
  `${parts.filter(Boolean).join('\n\n')}\n`

export const list = (...items: readonly (string | null)[]): string =>
  items
    .filter((item) => item !== null)
    .map((item) => `- ${item}`)
    .join('\n')
