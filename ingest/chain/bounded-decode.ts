// Decodes protobuf up to a number of fields: a message of 1 MB may hold 500,000 empty ones, and each becomes an object.
import { BinaryReader } from 'cosmjs-types/binary'
import type { MessageCodec } from './message-types.ts'

/** Tags and lengths that one decoding may read. Far more than fit into the longest JSON that is kept of a message. */
const MAX_READS = 100_000

/** Every field of every nested message begins with a tag, whatever type its sender claims for it. */
class BoundedReader extends BinaryReader {
  #left = MAX_READS

  override uint32(): number {
    if (--this.#left < 0) throw new RangeError(`more than ${MAX_READS} tags and lengths`)
    return super.uint32()
  }
}

/** Throws where the bytes are not of this type, or are too many fields. */
export const decodeBounded = (codec: Pick<MessageCodec, 'decode'>, bytes: Uint8Array): unknown =>
  codec.decode(new BoundedReader(bytes))
