// One type for a proposal, its text and its votes, from old state, from new state and from a transaction.
import '../schema/text.ts'
import { MsgExecLegacyContent } from 'cosmjs-types/cosmos/gov/v1/tx'
import { TextProposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { isBlank, MAX_LISTED_TYPES } from '../contract/bounds.ts'
import { normalizeDecimal } from '../contract/decimal.ts'
import type { Coin, ProposalState, TallyCounts, WeightedOption } from '../contract/facts.ts'
import { toUpstreamGovType } from '../contract/gov-type.ts'
import { type AnyMessage, MAX_TYPE_LENGTH } from '../schema/message-json.ts'

export type LegacyText = { title: string; summary: string }

const EXEC_LEGACY_CONTENT = '/cosmos.gov.v1.MsgExecLegacyContent'

const NONE: LegacyText = { title: '', summary: '' }

/** Every content of x/gov v1beta1 has its title in field 1 and its description in field 2. */
export const legacyText = (content: AnyMessage | undefined): LegacyText => {
  if (!content) return NONE
  try {
    const { title, description } = TextProposal.decode(content.value)
    return { title, summary: description }
  } catch {
    return NONE
  }
}

const executedText = ({ typeUrl, value }: AnyMessage): LegacyText => {
  if (toUpstreamGovType(typeUrl) !== EXEC_LEGACY_CONTENT) return NONE
  try {
    return legacyText(MsgExecLegacyContent.decode(value).content)
  } catch {
    return NONE
  }
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

const NAMES = ['option_0', 'yes', 'abstain', 'no', 'no_with_veto'] as const

const optionName = (number: number): string => NAMES[number] ?? `option_${number}`

/** Undefined if a weight is not a decimal. */
export const weightedOptions = (
  options: readonly { option: number; weight: string }[],
): WeightedOption[] | undefined => {
  const read: WeightedOption[] = []
  for (const { option, weight } of options) {
    const normalized = normalizeDecimal(weight)
    if (normalized === undefined || option < 0) return undefined
    read.push({ option: optionName(option), weight: normalized })
  }
  return read
}

/** The messages are still bytes: their meaning depends on the schema of the chain. */
export type ProposalContent = { proposal: ProposalState; messages: readonly AnyMessage[] }

/** Limit of all types after the first ones together. A chain has some hundred types of some 40 bytes. */
const MAX_FURTHER_TYPES_BYTES = 32 * 2 ** 10

type MessageTypes = Pick<ProposalState, 'messageTypes' | 'messageCount' | 'furtherMessageTypes'>

/** The first types; of more messages also their number, and each other type once. */
export function listMessageTypes(messages: readonly AnyMessage[]): MessageTypes {
  const types = messages.map(({ typeUrl }) => typeUrl.slice(0, MAX_TYPE_LENGTH))
  if (types.length <= MAX_LISTED_TYPES) return { messageTypes: types }
  const messageTypes = types.slice(0, MAX_LISTED_TYPES)
  const others = new Set(types)
  for (const listed of messageTypes) others.delete(listed)
  let left = MAX_FURTHER_TYPES_BYTES
  const furtherMessageTypes = [...others].filter((type) => {
    left -= Buffer.byteLength(type)
    return left >= 0
  })
  return { messageTypes, messageCount: types.length, furtherMessageTypes }
}

export const toCoins = (coins: readonly Coin[] = []): Coin[] =>
  coins.map(({ denom, amount }) => ({ denom, amount }))

const STATUSES = ['status_0', 'deposit_period', 'voting_period', 'passed', 'rejected', 'failed']

export const statusName = (number: number): string => STATUSES[number] ?? `status_${number}`

const isOpen = (status: string): boolean =>
  status === 'deposit_period' || status === 'voting_period'

const toCount = (text: string): string | null => (/^\d+$/.test(text) ? text : null)

/** Each option for itself: a fork may have fewer. Undefined if the tally has no count at all. */
export const toTallyCounts = (
  tally: Record<keyof TallyCounts, string>,
): TallyCounts | undefined => {
  const counts = {
    yes: toCount(tally.yes),
    abstain: toCount(tally.abstain),
    no: toCount(tally.no),
    noWithVeto: toCount(tally.noWithVeto),
  }
  return Object.values(counts).every((count) => count === null) ? undefined : counts
}

/**
 * Zeros in an open proposal mean "not tallied yet". Other values are the failed round of an expedited vote
 * that restarted.
 */
export const toFinalTally = (
  tally: TallyCounts | undefined,
  status: string,
): TallyCounts | null => {
  if (!tally) return null
  const isZero = Object.values(tally).every((count) => BigInt(count ?? '0') === 0n)
  return isOpen(status) && isZero ? null : tally
}
