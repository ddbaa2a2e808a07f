// Escapes untrusted text for XML 1.0, so that no text makes the document ill-formed. Pure.

/** Characters that XML forbids, even escaped (production `Char`, section 2.2): most controls, unpaired surrogates. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

const ENTITIES: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#39;',
  // A parser would convert it to a line feed.
  '\r': '&#13;',
}

/** Escapes a text for content and for quoted attributes. A character that XML forbids becomes U+FFFD. */
export const xmlText = (text: string): string =>
  text.replace(FORBIDDEN, '\u{FFFD}').replace(/[<>&"'\r]/g, (mark) => ENTITIES[mark] ?? '')

/** One element; attributes without a value are omitted. `content` is already XML. */
export const element = (
  name: string,
  attributes: Readonly<Record<string, string | null>>,
  content = '',
): string => {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [` ${key}="${xmlText(value)}"`],
  )
  return content === ''
    ? `<${name}${given.join('')}/>`
    : `<${name}${given.join('')}>${content}</${name}>`
}

export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\p{Cn}\p{Bidi_C}\u200b]/gu, '')
