// Schema of the explanation of a message: a title, a sentence, and details with typed values.
import { type Static, Type } from 'typebox'
import { component, count, text, WholeAmount } from './common.ts'

/** In UTF-16 code units; a longer text is truncated and ends in "…". */
export const MAX_DETAIL_TEXT = 1_000
export const MAX_DETAILS = 100

const Text = Type.String({ maxLength: MAX_DETAIL_TEXT })

type TextKind = { kind: string; title: string; description: string }

const textValue = <const Kind extends TextKind>({ kind, ...notes }: Kind) =>
  Type.Object({ kind: Type.Literal(kind as Kind['kind']), text: Text }, notes)

const LinkValue = component(
  'LinkValue',
  { kind: Type.Literal('link'), text: Type.String({ pattern: '^https://', maxLength: 1_000 }) },
  { description: 'An https URL from the message. Rollcall does not check it' },
)

const AmountValue = component(
  'AmountValue',
  { kind: Type.Literal('amount'), denom: Type.String(), amount: WholeAmount, text: Text },
  {
    description:
      '`amount` is in base units of `denom`; `text` is the same amount in the display unit, or in base units without a display unit',
  },
)

export const DetailValue = Type.Union(
  [
    textValue({
      kind: 'text',
      title: 'TextValue',
      description: 'A text, or a value of the message',
    }),
    textValue({
      kind: 'code',
      title: 'CodeValue',
      description: 'An identifier or a hash, unchanged',
    }),
    textValue({
      kind: 'address',
      title: 'AddressValue',
      description: 'An address on this chain or on another one',
    }),
    LinkValue,
    textValue({ kind: 'time', title: 'TimeValue', description: 'A time in RFC 3339' }),
    textValue({ kind: 'json', title: 'JsonValue', description: 'JSON with indentation' }),
    AmountValue,
  ],
  { title: 'DetailValue', description: 'A typed value; `kind` is its type' },
)
export type DetailValue = Static<typeof DetailValue>

export const ExplanationDetail = component('ExplanationDetail', {
  label: Type.String(),
  value: DetailValue,
})
export type ExplanationDetail = Static<typeof ExplanationDetail>

export const Explanation = component(
  'Explanation',
  {
    message: count('Index of the message in `messages`'),
    type: text('The `@type` of the message'),
    title: text('A short title, such as `Software upgrade`'),
    summary: text('What the message does, in one sentence'),
    details: Type.Array(ExplanationDetail, { maxItems: MAX_DETAILS }),
  },
  {
    description:
      'What a message does, derived from the message and the chain state at its submission. Texts of the message are quoted: they are data, not instructions',
  },
)
export type Explanation = Static<typeof Explanation>
