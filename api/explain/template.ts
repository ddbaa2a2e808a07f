// Explanations as data: a title, a sentence with parts in it, and details of members. Parts and details are pure and never throw,
// whatever a message contains.
import type { ParameterChange } from '../../projections/contract/proposal-json.ts'
import type { Explanation, ExplanationDetail } from '../schemas/explanation.ts'
import { getCoins, getList, getMember, getText, getTexts, toInteger } from './members.ts'
import {
  addressDetail,
  codeDetail,
  coinDetail,
  coinsText,
  createDetail,
  inQuotes,
  textDetail,
  timeDetail,
  type Unit,
  withLabel,
} from './values.ts'

/** An explanation before it has the index and the type of its message. */
export type Explained = Omit<Explanation, 'message' | 'type'>

export type ExplainContext = {
  unit: Unit
  /** The parameters that this message changes; null if they are not known. */
  changes: readonly Omit<ParameterChange, 'message'>[] | null
  changesReason: string | null
  /** Explains a nested message. */
  explainNested: (message: unknown) => Explained & { type: string }
}

/** A text from a message. Undefined if it has none. */
export type Part = (message: unknown, at: ExplainContext) => string | undefined

/** Any number of details; most have the label. */
export type Field = (
  message: unknown,
  at: ExplainContext,
  label: string,
) => ExplanationDetail | readonly ExplanationDetail[] | undefined

/** By label, in order. */
export type Fields = Readonly<Record<string, Field>>

export type Template = {
  title: string
  /** Without one of its parts, a message is explained by its members. */
  summary: Part
  details?: Fields
}

export function fillFields(
  fields: Fields,
  message: unknown,
  at: ExplainContext,
): ExplanationDetail[] {
  return Object.entries(fields).flatMap(([label, field]) => field(message, at, label) ?? [])
}

/** Undefined if the message lacks a part of the summary. */
export function fillTemplate(
  { title, summary: write, details = {} }: Template,
  message: unknown,
  at: ExplainContext,
): Explained | undefined {
  const summary = write(message, at)
  if (summary === undefined) return undefined
  return { title, summary, details: fillFields(details, message, at) }
}

/** Undefined if one of its parts is missing. */
export function sentence(texts: TemplateStringsArray, ...parts: readonly Part[]): Part {
  return (message, at) => {
    const found = parts.map((part) => part(message, at))
    return found.includes(undefined) ? undefined : String.raw({ raw: texts }, ...found)
  }
}

export function either(part: Part, otherwise: string): Part {
  return (message, at) => part(message, at) ?? otherwise
}

/** A clause of a sentence, left out if one of its parts is missing. */
export function optional(texts: TemplateStringsArray, ...parts: readonly Part[]): Part {
  return either(sentence(texts, ...parts), '')
}

/** The path of a text, or a part. */
type Source = string | Part

const toPart = (source: Source): Part =>
  typeof source === 'string' ? (message) => getText(message, source) : source

/** A text in another form. */
export function shown(source: Source, format: (text: string) => string): Part {
  return (message, at) => {
    const found = toPart(source)(message, at)
    return found === undefined ? undefined : format(found)
  }
}

/** A name from the chain or from a proposer: `“Treasury”`. */
export function name(source: Source): Part {
  return shown(source, inQuotes)
}

export function integer(path: string): Part {
  return (message) => toInteger(getMember(message, path))
}

/** `1 000 ATOM and 5 OSMO`. At least one coin. */
export function coins(path: string): Part {
  return (message, { unit }) => {
    const found = getCoins(message, path)
    return found.length === 0 ? undefined : coinsText(found, unit)
  }
}

/** `one message` or `3 messages`; undefined without any. */
export function count(path: string, noun: string): Part {
  return (message) => {
    const { length } = getList(message, path)
    if (length === 0) return undefined
    return length === 1 ? `one ${noun}` : `${length} ${noun}s`
  }
}

const createField =
  (kind: 'text' | 'code' | 'address') =>
  (source: Source): Field =>
  (message, at, label) => {
    const found = toPart(source)(message, at)
    return found === undefined ? undefined : createDetail(kind, label, found)
  }

/** The detail of a member or of a part, if the message has it. */
export const text = createField('text')
export const code = createField('code')
export const address = createField('address')

/** A detail for each coin of a member. */
export function amounts(path: string): Field {
  return (message, { unit }, label) =>
    getCoins(message, path).map((coin) => coinDetail(label, coin, unit))
}

export function addresses(path: string): Field {
  return (message, _at, label) => getTexts(message, path).map((each) => addressDetail(label, each))
}

/** When an authorization or a fund ends. */
export function expiry(path: string): Field {
  return (message, _at, label) => {
    const time = getText(message, path)
    return time === undefined ? textDetail(label, 'Never') : timeDetail(label, time)
  }
}

/** The details of each item of a list. */
export function each(path: string, fields: Fields): Field {
  return (message, at) => getList(message, path).flatMap((item) => fillFields(fields, item, at))
}

const MAX_MESSAGES = 20

/** The summary, type and details of each nested message. Labels start with the number of the message. */
export function nestedMessages(path: string): Field {
  return (message, { explainNested }) => {
    const messages = getList(message, path)
    const details = messages.slice(0, MAX_MESSAGES).flatMap((nested, n) => {
      const { title, summary, type, details: inner } = explainNested(nested)
      const number = `Message ${n + 1}`
      return [
        textDetail(number, `${title}: ${summary}`),
        codeDetail(`${number} › type`, type),
        ...inner.map(({ label, value }) => withLabel(`${number} › ${label}`, value)),
      ]
    })
    const others = messages.length - MAX_MESSAGES
    return others > 0
      ? [...details, textDetail('More messages', `${others} more: see the JSON of the message`)]
      : details
  }
}
