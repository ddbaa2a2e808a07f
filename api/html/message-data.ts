// The data of a message: its fields as a table, and its JSON.

import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Html, html } from '../../infra/base/html/html.ts'
import { Coin } from '../../ingest/contract/facts.ts'
import { groupThousands } from '../display-unit.ts'
import type { PageContext } from '../document/context.ts'
import { folded, rowHead, scrollable } from '../document/html/elements.ts'
import { code, coin, link, untrustedText } from '../document/html/inline.ts'
import type { Proposal } from '../schemas/proposal.ts'
import { escapeInvisible } from './detail-value.ts'

type Field = { path: string; value: Html }

const MAX_FIELDS = 60
const MAX_DEPTH = 6
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

const longField = ({ sha256, size, href }: LongField, at: PageContext): Html =>
  html`${link(href, `Download ${groupThousands(`${size}`) ?? size} bytes`, at)}, \
SHA-256 ${code(sha256)}`

const fieldText = (text: string): Html => {
  if (text === '') return html`<span class="soft">(empty)</span>`
  if (text.length <= MAX_VALUE_LENGTH) return /^\S+$/.test(text) ? code(text) : untrustedText(text)
  const inAll = html`<span class="soft">(${text.length} characters in total)</span>`
  return html`${untrustedText(text.slice(0, MAX_VALUE_LENGTH))} … ${inAll}`
}

const fieldValue = (value: unknown): Html => {
  if (typeof value === 'string') return fieldText(value)
  if (value === null) return html`<span class="soft">null</span>`
  return code(JSON.stringify(value) ?? '')
}

const toFields = (value: unknown, at: PageContext): Field[] => {
  const fields: Field[] = []
  const visit = (part: unknown, path: string, depth: number): void => {
    if (fields.length > MAX_FIELDS) return
    const isNested = typeof part === 'object' && part !== null && depth < MAX_DEPTH
    if (!isNested) return void fields.push({ path, value: fieldValue(part) })
    if (COIN.Check(part)) return void fields.push({ path, value: coin(part, at) })
    if (LONG_FIELD.Check(part)) return void fields.push({ path, value: longField(part, at) })
    const inner = Object.entries(part)
    if (inner.length === 0) return void fields.push({ path, value: fieldValue(part) })
    for (const [key, each] of inner) {
      const name = Array.isArray(part) ? `${Number(key) + 1}` : key
      visit(each, path === '' ? name : `${path} › ${name}`, depth + 1)
    }
  }
  visit(value, '', 0)
  return fields
}

const FIELDS_HEAD = html`<thead class="hidden"><tr>\
<th scope="col">Field</th><th scope="col">Value</th></tr></thead>`

const fieldRow = ({ path, value }: Field): Html =>
  html`<tr>${rowHead(untrustedText(path))}<td>${value}</td></tr>`

const MORE_FIELDS = html`<p class="soft">More fields are not shown. The JSON has all of them.</p>`

const fieldTable = (fields: readonly Field[], type: string): Html => {
  const table = html`<table class="fields">${FIELDS_HEAD}<tbody>
${fields.slice(0, MAX_FIELDS).map(fieldRow)}
</tbody></table>`
  return html`${scrollable(`Fields of ${type}`, table)}
${fields.length > MAX_FIELDS && MORE_FIELDS}`
}

const shownJson = (json: string): Html =>
  json.length > MAX_JSON_LENGTH
    ? html`<p>Not shown: ${json.length} characters. See the JSON of this page.</p>`
    : html`<pre dir="ltr" tabindex="0"><code>${json}</code></pre>`

type Named = { id: string; title: string }

/** All fields and the JSON of a message, collapsed. */
export const messageData = (
  message: Proposal['messages'][number],
  { id, title }: Named,
  at: PageContext,
): Html => {
  const { '@type': _type, ...rest } = message
  const fields = toFields(rest, at).filter(({ path }) => path !== '')
  const json = escapeInvisible(JSON.stringify(message, null, 2))
  return html`${fields.length > 0 && folded(`${id}-fields`, 'All fields', fieldTable(fields, title))}
${folded(`${id}-json`, 'For developers: JSON', shownJson(json))}`
}
