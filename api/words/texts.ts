// Texts of others, for rendering only: without characters that have an effect on the text around them, and with escapes read. Pure.

/** Controls, unpaired surrogates, and invisible format characters such as bidi controls; joiners are kept. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu
const LINE_ENDS = /\r\n|[\r\n\u2028\u2029]/g

/** A part of a line, without invisible characters. */
export const plainPart = (text: string): string =>
  text.replace(LINE_ENDS, ' ').replace(INVISIBLE, '').replace(/\s+/gu, ' ')

/** The text on one line, without invisible characters. */
export const plainLine = (text: string): string => plainPart(text).trim()

/** The lines of a text, without invisible characters. Tabs are four spaces. */
export const plainLines = (text: string): string[] =>
  text.split(LINE_ENDS).map((line) => line.replace(/\t/g, '    ').replace(INVISIBLE, ''))

// A text that was escaped once too often is read: `\n` as two characters instead of a line end.
//
// Only a text without any line end is read so, and only if an escape is certain or two are likely. Never read: code spans, `\\n`, quoted
// escapes, character classes, and paths of Windows.

const HAS_LINE_END = /[\n\r\u2028\u2029]/

const KEPT = [
  /\\\\./, // an escaped backslash
  /(?<!`)(?:`[^`]+`|``(?:[^`]|`(?!`))+``)(?!`)/, // a code span
  /(["'])(?:\\[nrt])+\1/, // "\n"
  /\[\^?(?:\\[nrtsdwfv])+\]/, // [^\r\n]
  /(?<![A-Za-z0-9])[A-Za-z]:\\(?![nrt][^a-z])[a-z][^\s`]*/, // C:\new
]
const LINE_END = /\\r\\n|\\n|\\r/
const OTHERS = /\\t|\\"|\\u[0-9a-fA-F]{4}/

const kept = KEPT.map(({ source }) => source).join('|')
const TOKENS = new RegExp(
  `(?<kept>${kept})|(?<end>${LINE_END.source})|(?<other>${OTHERS.source})`,
  'g',
)

/** A word can start with `\n`, as the folder in `docs\new` and the command `\nabla`. */
const startsWord = (next: string): boolean => /^[a-z]/.test(next)
const isSeparated = (before: string): boolean => before === '' || /[\s$({[]$/.test(before)

const isEscaped = (text: string): boolean => {
  let likely = 0
  for (const { groups, index, 0: found } of text.matchAll(TOKENS)) {
    if (groups?.['end'] === undefined) continue
    const after = text.slice(index + found.length, index + found.length + 1)
    if (found === '\\r\\n' || !startsWord(after)) return true
    const before = text.slice(Math.max(0, index - 1), index)
    if (/[.!?:;,)*]/.test(before)) return true
    if (!isSeparated(before)) likely++
  }
  return likely > 1
}

const readToken = (token: string): string =>
  token === '\\t'
    ? '\t'
    : token === '\\"'
      ? '"'
      : String.fromCharCode(Number.parseInt(token.slice(2), 16))

/** The text with its line ends, tabs, quotes and `\u` escapes read; unchanged if it is not escaped. */
export const readEscapes = (text: string): string => {
  if (!text.includes('\\') || HAS_LINE_END.test(text) || !isEscaped(text)) return text
  return text.replace(TOKENS, (token: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as { kept?: string; end?: string }
    if (groups.kept !== undefined) return token
    return groups.end === undefined ? readToken(token) : '\n'
  })
}
