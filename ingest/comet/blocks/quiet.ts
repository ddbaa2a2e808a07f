// Finds by its bytes whether the results of a block may have an event with a reader. A block without one is not parsed. Event types
// and attribute keys are plain text in every version of CometBFT, or base64 in attributes before 0.37.

/**
 * Texts of which each event with a reader has at least one. `past`: while no reading of an open vote follows, events that move
 * stake have no reader.
 */
export type Needles = { past: readonly Buffer[]; live: readonly Buffer[] }

/** As nodes write it: other texts are parsed. */
const START = /^\{"jsonrpc":"2\.0","id":\d+,"result":\{"height":"(\d+)",/
const START_BYTES = 96
const END = /\}\s*\}\s*$/
const END_BYTES = 16
const TYPE = Buffer.from('"type":"')
const ESCAPE = Buffer.from('\\u00')
const WORD = /^[0-9A-Za-z_]$/
const QUOTE = 0x22

function hasType(text: Buffer): boolean {
  for (let at = text.indexOf(TYPE); at !== -1; at = text.indexOf(TYPE, at + TYPE.length)) {
    if (text[at + TYPE.length] !== QUOTE) return true
  }
  return false
}

/** Go escapes punctuation alone. An escaped letter could hide a type. */
function hasEscapedWord(text: Buffer): boolean {
  for (let at = text.indexOf(ESCAPE); at !== -1; at = text.indexOf(ESCAPE, at + ESCAPE.length)) {
    const code = Number.parseInt(text.toString('latin1', at + 4, at + 6), 16)
    if (WORD.test(String.fromCharCode(code))) return true
  }
  return false
}

/** False also for a text that is not written as usual. `text`: the response to `block_results`. */
export function isQuiet(text: Buffer, height: number, needles: readonly Buffer[]): boolean {
  if (START.exec(text.toString('latin1', 0, START_BYTES))?.[1] !== String(height)) return false
  if (!END.test(text.toString('latin1', Math.max(0, text.length - END_BYTES)))) return false
  // Without a type, the results have no events, or are in a wrong format.
  if (!hasType(text)) return false
  return !(needles.some((needle) => text.includes(needle)) || hasEscapedWord(text))
}
