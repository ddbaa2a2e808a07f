// HTML templates: every value is escaped. Only values made by this file are inserted as markup.

const MARKUP = Symbol('markup')

/** Parsed data can never be `Html`, because the key is a private symbol. */
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

/** Characters that HTML does not allow: controls except tab and line ends, unpaired surrogates, U+FFFE and U+FFFF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const NO_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/gu

/** Bidi controls would affect the text that follows. Elements set the text direction instead. */
const BIDI_CONTROLS = /\p{Bidi_Control}/gu

/** Escapes a text for content and for quoted attributes. */
export const escapeHtml = (text: string): string =>
  text
    .replace(NO_CHARACTER, '\ufffd')
    .replace(BIDI_CONTROLS, '')
    .replace(/[&<>"'`]/g, (mark) => ENTITIES[mark] ?? '')

const isHtml = (value: object): value is Html => MARKUP in value

const toMarkup = (value: HtmlValue): string => {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number' || typeof value === 'bigint') return `${value}`
  if (isHtml(value)) return value[MARKUP]
  return value.map(toMarkup).join('')
}

/** Matches a template that ends inside a tag but outside quotes, where a text could break out. */
const IN_TAG = /<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*$/

/** For each value of a template: whether it is inside a tag but outside quotes. */
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
 * Throws if a text is inside a tag but outside quotes. Line breaks of a template are part of the page,
 * unless the line ends with a backslash.
 */
export const html = (strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => {
  const inTag = findValuesInTags(strings)
  let markup = strings[0] ?? ''
  values.forEach((value, at) => {
    if (inTag[at] && isTextual(value)) {
      throw new Error(`a value is outside quotes after ${strings[at]}`)
    }
    markup += toMarkup(value) + (strings[at + 1] ?? '')
  })
  return { [MARKUP]: markup }
}

/** Markup from a trusted source, such as a Markdown renderer. */
export const trustedHtml = (markup: string): Html => ({ [MARKUP]: markup })

/** Characters that could end the element or change the direction of the text. */
const IN_DATA = /[<>&\u2028\u2029]|\p{Bidi_Control}/gu

const unicodeEscape = (mark: string): string =>
  `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Embeds JSON data in a page. Escapes keep the parsed data the same. `type` is never a script type. */
export const jsonBlock = (type: 'application/ld+json' | 'application/json', data: unknown): Html =>
  trustedHtml(
    `<script type="${type}">${JSON.stringify(data).replace(IN_DATA, unicodeEscape)}</script>`,
  )

export const markupOf = (value: Html): string => value[MARKUP]
