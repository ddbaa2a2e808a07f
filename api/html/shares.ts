// Parts of a whole, exactly: for bars and for numbers beside them. Pure.
import { shareOf } from '../read/queries/values.ts'
import type { Tally } from '../schemas/proposal.ts'

export type Sums = { yes: bigint; no: bigint; abstain: bigint; noWithVeto: bigint }

/** Undefined where any of them is not known. */
export const sumsOf = (
  tally: Pick<Tally, 'yes' | 'no' | 'abstain' | 'noWithVeto'>,
): Sums | undefined => {
  const { yes, no, abstain, noWithVeto } = tally
  if (yes === null || no === null || abstain === null || noWithVeto === null) return undefined
  return {
    yes: BigInt(yes),
    no: BigInt(no),
    abstain: BigInt(abstain),
    noWithVeto: BigInt(noWithVeto),
  }
}

export const totalOf = ({ yes, no, abstain, noWithVeto }: Sums): bigint =>
  yes + no + abstain + noWithVeto

/** To four places, cut; null where there is no whole. */
export const part = (some: bigint, whole: bigint): string | null =>
  whole === 0n ? null : shareOf(some, whole)

/** For an attribute of a drawing: `12.34%`. Parts of one to four places, as `part` gives them. */
export const width = (share: string | null): string => {
  const [whole = '0', places = ''] = (share ?? '0').split('.')
  const digits = `${whole}${places.padEnd(4, '0').slice(0, 4)}`.padStart(5, '0')
  const percent = `${digits.slice(0, -2)}.${digits.slice(-2)}`.replace(/^0+(?=[0-9])/, '')
  return `${percent}%`
}
