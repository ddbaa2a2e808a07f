// Escapes untrusted texts in Markdown (CommonMark with GitHub tables), so that they contain no markup.
import { plainLine, plainLines } from '../../plain-text.ts'

const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' }

/** Escapes a part of a line: no markup, no automatic links, no end of a table cell. */
export const escapeMarkup = (text: string): string =>
  text
    .replace(/[<>&]/g, (mark) => ENTITIES[mark] ?? '')
    .replace(/[\\`*_[\]|~#$@!^{}]/g, '\\$&')
    .replace(/:\/\//g, '\\://')
    .replace(/\b(mailto|xmpp):/gi, '$1\\:')
    .replace(/www\./gi, (found) => `${found.slice(0, -1)}\\.`)
    .replace(/^[-+=]/, '\\$&')
    .replace(/^([0-9]+)([.)])(?=\s|$)/, '$1\\$2')

/** Escapes a text as one line. */
export const inline = (text: string): string => escapeMarkup(plainLine(text))

/** A code block with a fence that the text cannot close. */
export const fenced = (text: string): string => {
  const lines = plainLines(text)
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? [])
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 0)
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return [`${fence}text`, ...lines, fence].join('\n')
}

/** `label` is Markdown already. `href` is a URL of this service, with percent-encoded values. */
export const linkTo = (label: string, href: string): string =>
  `[${label}](<${href.replace(/[<>\\\s]/g, encodeURIComponent)}>)`

export const link = (text: string, href: string): string => linkTo(inline(text), href)

/** Cells are Markdown already. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

type Part = string | false | null | undefined

/** Joins blocks with empty lines and leaves out missing ones. */
export const joinBlocks = (...parts: readonly Part[]): string => parts.filter(Boolean).join('\n\n')

export const list = (...items: readonly (string | null)[]): string =>
  items
    .filter((item) => item !== null)
    .map((item) => `- ${item}`)
    .join('\n')
