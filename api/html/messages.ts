// What a proposal would do if it passed: each message with its fields as a table, its JSON behind.
import { type Html, html } from '../../infra/html/html.ts'
import type { PageAt } from '../resources/page-data.ts'
import type { Proposal } from '../schemas/proposal.ts'
import { folded, rowHead, scrollable } from './elements.ts'
import { code, coin, link, said } from './parts.ts'

type Message = Proposal['messages'][number]
type Field = { path: string; value: Html }

const MAX_FIELDS = 60
const MAX_DEPTH = 6
const MAX_VALUE_LENGTH = 600
const MAX_JSON_LENGTH = 20_000

/** `/cosmos.gov.v1.MsgUpdateParams` → `Update params`. */
export const messageName = (type: string): string => {
  const last = type.split(/[./]/).at(-1)?.replace(/^Msg/, '') ?? ''
  const words = last.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words === '' ? 'Message' : words[0]?.toUpperCase() + words.slice(1)
}

const isCoin = (value: object): value is { denom: string; amount: string } =>
  'denom' in value &&
  'amount' in value &&
  typeof value.denom === 'string' &&
  typeof value.amount === 'string' &&
  /^[0-9]+$/.test(value.amount) &&
  Object.keys(value).length === 2

const textOf = (text: string): Html => {
  if (text === '') return html`<span class="soft">(empty)</span>`
  if (text.length <= MAX_VALUE_LENGTH) return /^\S+$/.test(text) ? code(text) : said(text)
  const inAll = html`<span class="soft">(${text.length} characters in all)</span>`
  return html`${said(text.slice(0, MAX_VALUE_LENGTH))} … ${inAll}`
}

const leafOf = (value: unknown): Html => {
  if (typeof value === 'string') return textOf(value)
  if (value === null) return html`<span class="soft">null</span>`
  return code(JSON.stringify(value) ?? '')
}

const fieldsOf = (value: unknown, at: PageAt): Field[] => {
  const fields: Field[] = []
  const visit = (part: unknown, path: string, depth: number): void => {
    if (fields.length > MAX_FIELDS) return
    const isNested = typeof part === 'object' && part !== null && depth < MAX_DEPTH
    if (!isNested) return void fields.push({ path, value: leafOf(part) })
    if (isCoin(part)) return void fields.push({ path, value: coin(part, at) })
    const inner = Object.entries(part)
    if (inner.length === 0) return void fields.push({ path, value: leafOf(part) })
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
  html`<tr>${rowHead(said(path))}<td>${value}</td></tr>`

const MORE_FIELDS = html`<p class="soft">There are more fields; all of them are in the JSON.</p>`

const fieldTable = (fields: readonly Field[], type: string): Html => {
  const table = html`<table class="fields">${FIELDS_HEAD}<tbody>
${fields.slice(0, MAX_FIELDS).map(fieldRow)}
</tbody></table>`
  return html`${scrollable(`Fields of ${type}`, table)}
${fields.length > MAX_FIELDS && MORE_FIELDS}`
}

/** Nothing in it is unseen: what has no look of its own is spelled as JSON may spell it. */
const spelledOut = (json: string): string =>
  json.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )

const shownJson = (json: string): Html =>
  json.length > MAX_JSON_LENGTH
    ? html`<p>It is ${json.length} characters long: read it in the JSON of this page.</p>`
    : html`<pre dir="ltr" tabindex="0"><code>${json}</code></pre>`

const messageOf = (message: Message, place: { n: number; at: PageAt }): Html => {
  const { '@type': type, ...rest } = message
  const fields = fieldsOf(rest, place.at).filter(({ path }) => path !== '')
  const json = spelledOut(JSON.stringify(message, null, 2))
  const number = html`<span class="soft">${place.n}</span>`
  return html`<section class="message"><h3>${number} ${said(messageName(type))}</h3>
<p class="small">${code(type)}</p>
${fields.length > 0 && fieldTable(fields, messageName(type))}
${folded(`message-${place.n}-json`, 'JSON of this message', shownJson(json))}</section>`
}

type Messages = Pick<Proposal, 'messages' | 'messagesTruncated' | 'messagesAt'>

export const messages = (
  { messages: all, messagesTruncated, messagesAt = '' }: Messages,
  at: PageAt,
): Html => {
  if (messagesTruncated) {
    const events = link(messagesAt, 'the events of the proposal as JSON', at)
    return html`<p>Its messages are longer than 1 MiB: read them in ${events}.</p>`
  }
  if (all.length === 0) return html`<p>Nothing by itself: it is a text that people vote on.</p>`
  return html`${all.map((message, n) => messageOf(message, { n: n + 1, at }))}`
}
