// The vote options: their names on the chain and in sums, their fill and label on pages, and their sums in a tally. Pure.
import { toKnownCounts } from '../../ingest/contract/compare-tally.ts'
import type { Tally } from '../schemas/tally.ts'

/** In the order of pages. */
export const OPTIONS = [
  { option: 'yes', sum: 'yes', fill: 'yes', label: 'Yes' },
  { option: 'no', sum: 'no', fill: 'no', label: 'No' },
  { option: 'no_with_veto', sum: 'noWithVeto', fill: 'veto', label: 'No with veto' },
  { option: 'abstain', sum: 'abstain', fill: 'abstain', label: 'Abstain' },
] as const

export type Fill = (typeof OPTIONS)[number]['fill']

export const findOption = (name: string) => OPTIONS.find(({ option }) => option === name)

/** The label of an option. An unknown option keeps the name from the chain. */
export const optionName = (name: string): string => findOption(name)?.label ?? name

export type Sums = { yes: bigint; no: bigint; abstain: bigint; noWithVeto: bigint }

/** Undefined if the sums are not known. */
export const toSums = (tally: Parameters<typeof toKnownCounts>[0]): Sums | undefined =>
  toKnownCounts(tally)

/** The power of all votes: the whole of the shares of the options. */
export const findVoted = ({ votingPower }: Pick<Tally, 'votingPower'>): bigint =>
  BigInt(votingPower ?? '0')
