// The words of explainers: a sentence with parts in it, and details of members.
import { coinsText } from './amounts.ts'
import {
  addressDetail,
  amountDetail,
  codeDetail,
  createDetail,
  type Detail,
  quoted,
  textDetail,
  timeDetail,
} from './details.ts'
import type { ExplainContext, Part, ToDetails } from './explainer.ts'
import { getCoins, getInteger, getList, getMember, getText, getTexts } from './members.ts'

/** Undefined if one of its parts is missing. */
export const sentence =
  (texts: TemplateStringsArray, ...parts: readonly Part[]): Part =>
  (message, at) => {
    const found = parts.map((part) => part(message, at))
    return found.includes(undefined) ? undefined : String.raw({ raw: texts }, ...found)
  }

export const either =
  (part: Part, otherwise: string): Part =>
  (message, at) =>
    part(message, at) ?? otherwise

/** A clause of a sentence, left out if one of its parts is missing. */
export const optional = (texts: TemplateStringsArray, ...parts: readonly Part[]): Part =>
  either(sentence(texts, ...parts), '')

/** The name of a member with a text, or another part. */
type Source = string | Part

const toPart = (source: Source): Part =>
  typeof source === 'string' ? (message) => getText(message, source) : source

/** A text in another form. */
export const shown =
  (source: Source, format: (text: string) => string): Part =>
  (message, at) => {
    const found = toPart(source)(message, at)
    return found === undefined ? undefined : format(found)
  }

/** A name from the chain or from a proposer: `“Treasury”`. */
export const name = (source: Source): Part => shown(source, quoted)

export const integer =
  (member: string): Part =>
  (message) =>
    getInteger(message, member)

/** `1 000 ATOM and 5 OSMO`. At least one coin. */
export const coins =
  (member: string): Part =>
  (message, { findUnit }) => {
    const found = getCoins(message, member)
    return found.length === 0 ? undefined : coinsText(found, findUnit)
  }

/** `one message` or `3 messages`; undefined without any. */
export const count =
  (member: string, noun: string): Part =>
  (message) => {
    const { length } = getList(message, member)
    if (length === 0) return undefined
    return length === 1 ? `one ${noun}` : `${length} ${noun}s`
  }

const createTextDetail =
  (make: (label: string, text: string) => Detail) =>
  (label: string, source: Source): ToDetails =>
  (message, at) => {
    const found = toPart(source)(message, at)
    return found === undefined ? undefined : make(label, found)
  }

/** The detail of a member or of a part, if the message has it. */
export const text = createTextDetail(textDetail)
export const code = createTextDetail(codeDetail)
export const address = createTextDetail(addressDetail)

/** A detail for each coin of a member. */
export const amounts =
  (label: string, member: string): ToDetails =>
  (message, { findUnit }) =>
    getCoins(message, member).map((coin) => amountDetail(label, coin, findUnit))

export const addresses =
  (label: string, member: string): ToDetails =>
  (message) =>
    getTexts(message, member).map((each) => addressDetail(label, each))

/** When an authorization or a fund ends. */
export const expiry =
  (member: string): ToDetails =>
  (message) => {
    const time = getText(message, member)
    return time === undefined ? textDetail('Expires', 'Never') : timeDetail('Expires', time)
  }

/** The details of each item of a list. */
export const each =
  (member: string, ...details: readonly ToDetails[]): ToDetails =>
  (message, at) =>
    getList(message, member).flatMap((item) =>
      details.flatMap((toDetails) => toDetails(item, at) ?? []),
    )

/** A part or details of a nested object. */
export const inside =
  <Result>(member: string, read: (value: unknown, at: ExplainContext) => Result) =>
  (message: unknown, at: ExplainContext): Result =>
    read(getMember(message, member), at)

const MAX_MESSAGES = 20

/** The summary, type and details of each nested message. Labels start with the number of the message. */
export const nestedMessages =
  (member: string): ToDetails =>
  (message, { explainNested }) => {
    const messages = getList(message, member)
    const details = messages.slice(0, MAX_MESSAGES).flatMap((nested, n) => {
      const { title, summary, type, details: inner } = explainNested(nested)
      const number = `Message ${n + 1}`
      return [
        textDetail(number, `${title}: ${summary}`),
        codeDetail(`${number} › type`, type),
        ...inner.map(({ label, value }) => createDetail(`${number} › ${label}`, value)),
      ]
    })
    const others = messages.length - MAX_MESSAGES
    return others > 0
      ? [...details, textDetail('More messages', `${others} more: see the JSON of the message`)]
      : details
  }
