// What is in a line of a page, as data. Texts are words of Rollcall; those of others are marked.
import type { Html } from '../../infra/base/html/html.ts'
import type { Coin } from '../../ingest/contract/facts.ts'
import { NOT_KNOWN } from '../display-unit.ts'
import type { Outcome } from '../proposal-status.ts'
import type { VoteReason } from '../schemas/vote.ts'
import { cut } from '../shortened.ts'

export type Nothing = null | undefined | false

export type Choice = { option: string; weight: string }

/** When something happened: its time, its block and its transaction. */
type Occurrence = { time: string | null; height: number | null; txHash: string | null }

/** The parts of a line, by their names. */
export type InlineParts = {
  /** A text of others: never markup, and without an effect on the text around it. */
  quoted: { text: string | null | undefined; otherwise: Inline }
  /** An address or a hash. */
  code: { text: string }
  /** A text to type, such as a request. */
  command: { text: string }
  /** `path` is one of this service. */
  link: { path: string; label: Inline; look: 'small' | undefined }
  /** A link to a section of the same page, by its ID. */
  anchor: { section: string; label: Inline }
  strong: { of: Inline }
  /** Less important than the text around it. */
  soft: { of: Inline }
  /** The same, in small letters. */
  small: { of: Inline }
  lineBreak: object
  time: { time: string | null }
  occurrence: { fact: Occurrence }
  transaction: { txHash: string; height: number | null }
  /** In the chain's base unit. */
  amount: { base: string | null }
  /** Shown in the base unit. */
  baseAmount: { base: string | null }
  coins: { coins: readonly Coin[] }
  /** A share of 1. */
  share: { value: string | null }
  choices: { options: readonly Choice[] }
  status: { outcome: Outcome }
  proposal: { proposalId: string; title: string; round: number | null }
  pool: { operatorAddress: string; moniker: string }
  /** Drawn by hand, with a text for readers of other formats. */
  drawn: { html: Html; instead: Inline }
}

export type InlinePart = {
  [Kind in keyof InlineParts]: { kind: Kind } & InlineParts[Kind]
}[keyof InlineParts]

/** What is in a line. Texts are words of Rollcall; a text of others is `quoted`. */
export type Inline = string | number | Nothing | InlinePart | readonly Inline[]

/** `Array.isArray` does not narrow a read-only list. */
export const isInlineList = (value: Inline): value is readonly Inline[] => Array.isArray(value)

export const soft = (of: Inline): Inline => ({ kind: 'soft', of })

export const small = (of: Inline): Inline => ({ kind: 'small', of })

export const lineBreak: Inline = { kind: 'lineBreak' }

export const UNKNOWN: Inline = soft(NOT_KNOWN)

export const quoted = (text: string | null | undefined, otherwise: Inline = UNKNOWN): Inline => ({
  kind: 'quoted',
  text,
  otherwise,
})

const MAX_WORDS = 512

/** A part of a line after the vote: the words beside it, as a quotation. */
export const wordsOf = (reason: VoteReason | null | undefined): Inline =>
  [reason?.metadata, reason?.memo].map(
    (text) => text && [lineBreak, small(['“', quoted(cut(text, MAX_WORDS)), '”'])],
  )

export const code = (text: string): Inline => ({ kind: 'code', text })

export const command = (text: string): Inline => ({ kind: 'command', text })

export const link = (path: string, label: Inline, look?: 'small'): Inline => ({
  kind: 'link',
  path,
  label,
  look,
})

export const anchor = (section: string, label: Inline): Inline => ({
  kind: 'anchor',
  section,
  label,
})

export const strong = (of: Inline): Inline => ({ kind: 'strong', of })

export const time = (at: string | null): Inline => ({ kind: 'time', time: at })

export const occurrence = (fact: Occurrence): Inline => ({ kind: 'occurrence', fact })

export const transaction = (txHash: string, height: number | null): Inline => ({
  kind: 'transaction',
  txHash,
  height,
})

export const amount = (base: string | null): Inline => ({ kind: 'amount', base })

export const baseAmount = (base: string | null): Inline => ({ kind: 'baseAmount', base })

export const coins = (all: readonly Coin[]): Inline => ({ kind: 'coins', coins: all })

export const share = (value: string | null): Inline => ({ kind: 'share', value })

export const choices = (options: readonly Choice[]): Inline => ({ kind: 'choices', options })

/** The status with its reason: a missed quorum differs from a rejection by votes. */
export const status = (outcome: Outcome | string): Inline => ({
  kind: 'status',
  outcome: typeof outcome === 'string' ? { status: outcome, outcomeReason: null } : outcome,
})

/** A link to a proposal, with the round if it is not the first. */
export const proposal = ({
  proposalId,
  title,
  round = null,
}: {
  proposalId: string
  title: string
  round?: number | null
}): Inline => ({ kind: 'proposal', proposalId, title, round })

export const pool = ({
  operatorAddress,
  moniker,
}: {
  operatorAddress: string
  moniker: string
}): Inline => ({
  kind: 'pool',
  operatorAddress,
  moniker,
})

export const drawn = (html: Html, instead: Inline): Inline => ({ kind: 'drawn', html, instead })
