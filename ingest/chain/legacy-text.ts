// Reads the title and description of a legacy proposal: SDK 0.46 and older store them only in the content.
import { isBlank } from '../contract/bounds.ts'
import { toUpstreamGovType } from '../contract/gov-type.ts'
import type { AnyMessage } from '../schema/message-json.ts'
import { decodeText } from '../schema/text.ts'
import { readWireFields } from '../schema/wire.ts'

export type LegacyText = { title: string; summary: string }

const EXEC_LEGACY_CONTENT = '/cosmos.gov.v1.MsgExecLegacyContent'
const MAX_FIELDS = 10_000

const NONE: LegacyText = { title: '', summary: '' }

/** Fields by number; the last one wins. Empty if the bytes are not protobuf. */
const readFields = (bytes: Uint8Array): Map<number, Uint8Array> => {
  try {
    const fields = readWireFields(bytes, { fields: MAX_FIELDS })
    return new Map(
      fields.flatMap(({ no, value }) => (value instanceof Uint8Array ? [[no, value]] : [])),
    )
  } catch {
    return new Map()
  }
}

const readText = (content: Uint8Array | undefined): LegacyText => {
  if (!content) return NONE
  const fields = readFields(content)
  const read = (no: number) => decodeText(fields.get(no) ?? new Uint8Array())
  return { title: read(1), summary: read(2) }
}

/** `content` is an `Any`. Every content of x/gov v1beta1 has its title in field 1 and its description in field 2. */
export const legacyText = (content: AnyMessage | undefined): LegacyText => readText(content?.value)

const executedText = ({ typeUrl, value }: AnyMessage): LegacyText => {
  if (toUpstreamGovType(typeUrl) !== EXEC_LEGACY_CONTENT) return NONE
  const content = readFields(value).get(1)
  return content ? readText(readFields(content).get(2)) : NONE
}

/** The text of a proposal of x/gov v1. If one is blank, that of the first legacy content that the proposal executes and that has one. */
export const proposalText = (
  { title, summary }: LegacyText,
  messages: readonly AnyMessage[],
): LegacyText => {
  if (!isBlank(title) && !isBlank(summary)) return { title, summary }
  const executed = messages.map(executedText)
  const orExecuted = (text: string, name: keyof LegacyText): string =>
    isBlank(text) ? (executed.find((each) => !isBlank(each[name]))?.[name] ?? text) : text
  return { title: orExecuted(title, 'title'), summary: orExecuted(summary, 'summary') }
}
