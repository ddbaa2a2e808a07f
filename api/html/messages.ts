// The messages of a proposal: each with its explanation, and with its fields and JSON collapsed.

import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Html, html, markupOf } from '../../infra/base/html/html.ts'
import { Coin } from '../../ingest/contract/facts.ts'
import { groupThousands } from '../display-unit.ts'
import type { PageContext } from '../document/context.ts'
import { folded, rowHead, scrollable } from '../document/html/elements.ts'
import { code, coin, link, untrustedText } from '../document/html/inline.ts'
import { NOTHING_EXECUTED } from '../in-words.ts'
import type { Explanation } from '../schemas/explanation.ts'
import type { Proposal } from '../schemas/proposal.ts'
import { escapeInvisible, explanationBlock } from './explanation.ts'

type Message = Proposal['messages'][number]
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

type MessageContext = { n: number; at: PageContext; explanation: Explanation | undefined }

const messageSection = (message: Message, { n, at, explanation }: MessageContext): Html => {
  const { '@type': type, ...rest } = message
  const fields = toFields(rest, at).filter(({ path }) => path !== '')
  const json = escapeInvisible(JSON.stringify(message, null, 2))
  const title = explanation?.title ?? type
  const table = fields.length > 0 && fieldTable(fields, title)
  return html`<section class="message">\
<h3><span class="soft">${n}</span> ${untrustedText(title)}</h3>
${explanation && explanationBlock(explanation, { id: `message-${n}` })}
<p class="small soft">${code(type)}</p>
${table && folded(`message-${n}-fields`, 'All fields', table)}
${folded(`message-${n}-json`, 'For developers: JSON', shownJson(json))}</section>`
}

type Messages = Pick<Proposal, 'proposalId' | 'messages' | 'messagesTruncated' | 'explanations'>

/** Limit of the HTML of all messages. */
const MAX_SHOWN_BYTES = 2 ** 19

/** The first messages that fit. */
const shownSections = (
  { messages: all, explanations }: Pick<Messages, 'messages' | 'explanations'>,
  at: PageContext,
): Html[] => {
  const shown: Html[] = []
  let left = MAX_SHOWN_BYTES
  for (const [n, message] of all.entries()) {
    const section = messageSection(message, { n: n + 1, at, explanation: explanations[n] })
    left -= Buffer.byteLength(markupOf(section))
    if (left < 0) break
    shown.push(section)
  }
  return shown
}

const QUOTED = html`<p class="small soft">The chain does this by itself if the proposal passes. \
Rollcall explains it from the proposal and the state of the chain. \
Names and other texts are the proposer’s, and are not verified.</p>`

/** More of them are folded. */
const MAX_OPEN = 5

const linkToAll = (proposalId: string, at: PageContext): Html => {
  const all = link(`/api/proposals/${proposalId}/messages`, 'all of it as JSON', at)
  return html`<p>Not all of it is shown here. See ${all}.</p>`
}

export const messages = (
  { proposalId, messages: all, messagesTruncated, explanations }: Messages,
  at: PageContext,
): Html => {
  if (all.length === 0 && !messagesTruncated) return html`<p>${NOTHING_EXECUTED}</p>`
  const shown = shownSections({ messages: all, explanations }, at)
  const isPart = messagesTruncated === true || shown.length < all.length
  const [open, others] = [shown.slice(0, MAX_OPEN), shown.slice(MAX_OPEN)]
  return html`${shown.length > 0 && QUOTED}${open}\
${others.length > 0 && folded('more-messages', `${others.length} more parts`, others)}\
${isPart && linkToAll(proposalId, at)}`
}
