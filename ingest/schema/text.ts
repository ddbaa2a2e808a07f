// Decodes text of the chain. Its strings may be any bytes: gogoproto does not check them.
import { BinaryReader } from 'cosmjs-types/binary'

const REPLACEMENT = '\uFFFD'
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT).toString('latin1')

/** Each character of more than one byte (Unicode 16, table 3-7), or else one byte that belongs to none. One character per byte. */
const SEQUENCE =
  /[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}|[\x80-\xff]/g

/**
 * UTF-8 as the node's REST API has it: each byte that is not part of a character becomes U+FFFD, as in Go's `encoding/json`.
 * A `TextDecoder` replaces a character that is cut after two or three bytes only once, and drops a byte order mark.
 */
export function decodeText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = buffer.toString()
  if (!text.includes(REPLACEMENT)) return text
  const valid = buffer
    .toString('latin1')
    .replace(SEQUENCE, (found) => (found.length > 1 ? found : REPLACEMENT_BYTES))
  return Buffer.from(valid, 'latin1').toString()
}

// Every codec of cosmjs-types reads its strings here. Its own reader makes other letters of bytes that are not UTF-8.
BinaryReader.prototype.string = function string(this: BinaryReader): string {
  return decodeText(this.bytes())
}
