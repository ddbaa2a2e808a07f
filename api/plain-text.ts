// Texts of others without characters that have an effect on the text around them. Pure.

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
