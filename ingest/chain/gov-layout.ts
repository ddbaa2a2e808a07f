// Removes or renumbers fields of a fork's x/gov that have another meaning than the same numbers of `cosmos.gov.v1`.
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { readFields, type WireField } from '../schema/wire.ts'

/** The field of the response that has the message, and what is known of its fields. */
type Layout = {
  field: number
  /** From here on, a package in `OWN_FIELDS` has fields of its own. */
  ownFrom: number
  /** They have numbers lower by so much than in the `cosmos.gov` of AtomOne. Absent: they are removed. */
  ownShift?: number
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
    ownShift: 1,
    upstream: { 13: WireType.Varint, 14: WireType.Varint, 15: WireType.Varint },
  },
}

/** AtomOne before version 4: `endorsed`, `annotation` and `min_deposit_ratio` have numbers of upstream fields. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['atomone.gov'])

const join = (fields: readonly WireField[]): Uint8Array =>
  Buffer.concat(fields.map(({ raw }) => raw))

/** Only texts and messages: no other field of a fork is read. */
const renumber = ({ no, value }: WireField, shift: number): WireField[] => {
  if (!(value instanceof Uint8Array)) return []
  const wireType = WireType.LengthDelimited
  const writer = new BinaryWriter().uint32(((no + shift) << 3) | wireType).bytes(value)
  return [{ no: no + shift, wireType, value, raw: writer.finish() }]
}

/** `name` is the package, such as `atomone.gov`. Throws if the bytes are not protobuf. */
export const toUpstreamLayout = (
  bytes: Uint8Array,
  { name, method }: { name: string; method: string },
): Uint8Array => {
  const layout = LAYOUTS[method]
  if (!layout) return bytes
  const { ownFrom, ownShift, upstream } = layout
  const adopt = (field: WireField): WireField[] => {
    const { no, wireType } = field
    if (OWN_FIELDS.has(name) && no >= ownFrom) return ownShift ? renumber(field, ownShift) : []
    return (upstream[no] ?? wireType) === wireType ? [field] : []
  }
  const writer = new BinaryWriter()
  for (const { no, raw, value } of readFields(bytes)) {
    if (no !== layout.field || !(value instanceof Uint8Array)) writer.raw(raw)
    else {
      writer.uint32((no << 3) | WireType.LengthDelimited)
      writer.bytes(join(readFields(value).flatMap(adopt)))
    }
  }
  return writer.finish()
}
