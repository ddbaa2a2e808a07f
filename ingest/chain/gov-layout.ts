// Removes fields of a fork's x/gov that have another meaning than the same numbers of `cosmos.gov.v1`.
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { readFields, type WireField } from '../schema/wire.ts'

/** The field of the response that has the message, and what is known of its fields. */
type Layout = {
  field: number
  /** From here on, a package in `OWN_FIELDS` has fields of its own. */
  ownFrom: number
  /** As upstream declares them: another wire type is another field. */
  upstream: Readonly<Record<number, WireType>>
}

const PROPOSAL: Layout = {
  field: 1,
  ownFrom: 14,
  // `expedited` and `failed_reason`.
  upstream: { 14: WireType.Varint, 15: WireType.LengthDelimited },
}

const LAYOUTS: Readonly<Record<string, Layout>> = {
  Proposal: PROPOSAL,
  Proposals: PROPOSAL,
  // `burn_vote_quorum`, `burn_proposal_deposit_prevote`, `burn_vote_veto`.
  Params: {
    field: 4,
    ownFrom: 15,
    upstream: { 13: WireType.Varint, 14: WireType.Varint, 15: WireType.Varint },
  },
}

/** AtomOne before version 4: `endorsed`, `annotation` and `min_deposit_ratio` have numbers of upstream fields. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['atomone.gov'])

const join = (fields: readonly WireField[]): Uint8Array =>
  Buffer.concat(fields.map(({ raw }) => raw))

/** `name` is the package, such as `atomone.gov`. Throws if the bytes are not protobuf. */
export const toUpstreamLayout = (
  bytes: Uint8Array,
  { name, method }: { name: string; method: string },
): Uint8Array => {
  const layout = LAYOUTS[method]
  if (!layout) return bytes
  const isUpstream = ({ no, wireType }: WireField): boolean =>
    !(OWN_FIELDS.has(name) && no >= layout.ownFrom) &&
    (layout.upstream[no] ?? wireType) === wireType
  const writer = new BinaryWriter()
  for (const { no, raw, value } of readFields(bytes)) {
    if (no !== layout.field || !(value instanceof Uint8Array)) writer.raw(raw)
    else {
      writer.uint32((no << 3) | WireType.LengthDelimited)
      writer.bytes(join(readFields(value).filter(isUpstream)))
    }
  }
  return writer.finish()
}
