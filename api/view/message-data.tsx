// The data of a message: the values of its explanation, its fields as a table, and its JSON.
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Coin } from '../../ingest/contract/facts.ts'
import type { DetailValue } from '../schemas/explanation.ts'
import type { Proposal } from '../schemas/proposal.ts'
import { groupThousands } from '../words/display-unit.ts'
import { type Leaf, listLeaves } from '../words/leaves.ts'
import { plainLine } from '../words/texts.ts'
import { Details, Scrollable } from './blocks.tsx'
import { Code, CoinAmount, ExternalLink, Link, Quoted, Soft, Time } from './parts.tsx'

const MAX_FIELDS = 60
const MAX_VALUE_LENGTH = 600
const MAX_JSON_LENGTH = 20_000

/** A field with its bytes left out of the message, and the path to download them. */
const LongField = Type.Object(
  {
    sha256: Type.String(),
    size: Type.Number(),
    href: Type.String({
      pattern: '^/api/proposals/[0-9]+/messages/[0-9]+/bytes\\?path=[\\w.%~-]*$',
    }),
  },
  { additionalProperties: false },
)
type LongField = Static<typeof LongField>

const COIN = Compile(Type.Object(Coin.properties, { additionalProperties: false }))
const LONG_FIELD = Compile(LongField)

function LongBytes({ of: { sha256, size, href } }: { of: LongField }) {
  return (
    <>
      <Link to={href}>Download {groupThousands(`${size}`) ?? size} bytes</Link>, SHA-256{' '}
      <Code>{sha256}</Code>
    </>
  )
}

function FieldText({ of }: { of: string }) {
  if (of === '') return <Soft>(empty)</Soft>
  if (of.length <= MAX_VALUE_LENGTH)
    return /^\S+$/.test(of) ? <Code>{of}</Code> : <Quoted text={of} />
  return (
    <>
      <Quoted text={of.slice(0, MAX_VALUE_LENGTH)} /> …{' '}
      <Soft>({of.length} characters in total)</Soft>
    </>
  )
}

function FieldValue({ of }: { of: unknown }) {
  if (COIN.Check(of)) return <CoinAmount coin={of} />
  if (LONG_FIELD.Check(of)) return <LongBytes of={of} />
  if (typeof of === 'string') return <FieldText of={of} />
  if (of === null) return <Soft>null</Soft>
  return <Code>{JSON.stringify(of) ?? ''}</Code>
}

/** One more than is shown. */
const toFields = (value: object): Leaf[] =>
  listLeaves(value, {
    isLeaf: (part) => COIN.Check(part) || LONG_FIELD.Check(part),
    max: MAX_FIELDS + 1,
  })

function FieldTable({ fields, type }: { fields: readonly Leaf[]; type: string }) {
  return (
    <>
      <Scrollable label={`Fields of ${type}`}>
        <table class="fields">
          <thead class="hidden">
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {fields.slice(0, MAX_FIELDS).map(({ path, value }) => (
              <tr>
                <th scope="row">
                  <Quoted text={path.join(' › ')} />
                </th>
                <td>
                  <FieldValue of={value} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
      {fields.length > MAX_FIELDS && (
        <p class="soft">More fields are not shown. The JSON has all of them.</p>
      )}
    </>
  )
}

/** Escapes characters without a glyph as in JSON, so that every character is visible. */
const escapeInvisible = (json: string): string =>
  json.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )

function Json({ of }: { of: string }) {
  return (
    <pre dir="ltr" tabindex={0}>
      <code>{escapeInvisible(of)}</code>
    </pre>
  )
}

type MessageDataProps = { message: Proposal['messages'][number]; id: string; title: string }

/** All fields and the JSON of a message, collapsed. */
export function MessageData({ message, id, title }: MessageDataProps) {
  const { '@type': _type, ...rest } = message
  const fields = toFields(rest).filter(({ path }) => path.length > 0)
  const json = escapeInvisible(JSON.stringify(message, null, 2))
  return (
    <>
      {fields.length > 0 && (
        <Details id={`${id}-fields`} summary="All fields">
          <FieldTable fields={fields} type={title} />
        </Details>
      )}
      <Details id={`${id}-json`} summary="For developers: JSON">
        {json.length > MAX_JSON_LENGTH ? (
          <p>Not shown: {json.length} characters. See the JSON of this page.</p>
        ) : (
          <Json of={json} />
        )}
      </Details>
    </>
  )
}

/** One line. Numbers do not break between their groups of digits. */
function Line({ of }: { of: string }) {
  return (
    <bdi dir="auto">{plainLine(of).replace(/(?<=[0-9]) (?=[0-9]{3}(?![0-9]))/g, '\u202f')}</bdi>
  )
}

/** A value of an explanation; elsewhere its text. */
export function Detail({ of: value }: { of: DetailValue }) {
  switch (value.kind) {
    case 'text':
      return <Line of={value.text} />
    case 'code':
    case 'address':
      return <Code>{value.text}</Code>
    case 'link':
      if (!value.text.startsWith('https://')) return <Line of={value.text} />
      return (
        <ExternalLink to={value.text}>
          <Line of={value.text} />
        </ExternalLink>
      )
    case 'time':
      return Number.isNaN(Date.parse(value.text)) ? (
        <Line of={value.text} />
      ) : (
        <Time of={value.text} />
      )
    case 'json':
      return <Json of={value.text} />
    case 'amount':
      return (
        <data
          class="amount"
          value={value.amount}
          title={`exactly ${value.amount} ${plainLine(value.denom)}`}
        >
          <Line of={value.text} />
        </data>
      )
  }
}
Detail.text = ({ of }: { of: DetailValue }) => plainLine(of.text)
