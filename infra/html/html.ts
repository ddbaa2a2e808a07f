// HTML out of templates: every value is escaped where it stands; only what this file made is taken as markup.

const MARKUP = Symbol('markup')

/** Nothing that was parsed from a text can be one: the key is this file's own. */
export type Html = { readonly [MARKUP]: string }
type Nothing = null | undefined | false
export type HtmlValue = string | number | bigint | Html | Nothing | readonly HtmlValue[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/** What HTML has no character for: controls but tab and line ends, halves of letters, U+FFFE and U+FFFF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NO_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/gu

/** What turns the order of letters around, for those that follow as well: where there is direction, elements say it. */
const TURNING = /\p{Bidi_Control}/gu

/** Fit for text and for attributes in quotes. */
export const escapeHtml = (text: string): string =>
  text
    .replace(NO_CHARACTER, '\ufffd')
    .replace(TURNING, '')
    .replace(/[&<>"'`]/g, (mark) => ENTITIES[mark] ?? '')

const isHtml = (value: object): value is Html => MARKUP in value

const toMarkup = (value: HtmlValue): string => {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number' || typeof value === 'bigint') return `${value}`
  if (isHtml(value)) return value[MARKUP]
  return value.map(toMarkup).join('')
}

/** In a tag, a text may stand in quotes only: elsewhere it could end what it stands in. */
const IN_TAG = /<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*$/

/** Of each value of a template, whether it stands in a tag outside quotes. */
const inTagCache = new WeakMap<TemplateStringsArray, readonly boolean[]>()

const findValuesInTags = (strings: TemplateStringsArray): readonly boolean[] => {
  const known = inTagCache.get(strings)
  if (known) return known
  const found = strings.map((_, at) => IN_TAG.test(strings.slice(0, at + 1).join('')))
  inTagCache.set(strings, found)
  return found
}

const isTextual = (value: HtmlValue): boolean =>
  typeof value === 'object' && value !== null
    ? !isHtml(value)
    : value !== null && value !== undefined && value !== false

/**
 * Throws where a text would be in a tag outside quotes. Line breaks of a template are part of the page:
 * a backslash at the end of a line continues it without one.
 */
export const html = (strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => {
  const inTag = findValuesInTags(strings)
  let markup = strings[0] ?? ''
  values.forEach((value, at) => {
    if (inTag[at] && isTextual(value)) {
      throw new Error(`a value stands outside quotes after ${strings[at]}`)
    }
    markup += toMarkup(value) + (strings[at + 1] ?? '')
  })
  return { [MARKUP]: markup }
}

/** Markup from a trusted source, such as a Markdown renderer. */
export const trustedHtml = (markup: string): Html => ({ [MARKUP]: markup })

/** What could end the element, or turn what follows around where a source is read. */
const IN_DATA = /[<>&\u2028\u2029]|\p{Bidi_Control}/gu

const unicodeEscape = (mark: string): string =>
  `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Data in a page: the same to who parses it. `type` is a media type of data, never of a script. */
export const jsonBlock = (type: 'application/ld+json' | 'application/json', data: unknown): Html =>
  trustedHtml(
    `<script type="${type}">${JSON.stringify(data).replace(IN_DATA, unicodeEscape)}</script>`,
  )

export const markupOf = (value: Html): string => value[MARKUP]
