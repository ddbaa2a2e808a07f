// The deposit that a proposal needs to start its vote, and the missing amount. Pure.
import type { CoinTuple, ProposalRow } from '../../../projections/contract/read-model.ts'
import type { DepositRequirement } from '../../schemas/deposit.ts'

type DepositColumns = Pick<
  ProposalRow,
  'expedited' | 'total_deposit' | 'min_deposit' | 'expedited_min_deposit' | 'min_deposit_reason'
>

/** The chain requires the minimum of every denom. */
const computeMissing = (total: readonly CoinTuple[], minimum: readonly CoinTuple[]) =>
  minimum.flatMap(({ denom, amount }) => {
    const deposited = total.find((coin) => coin.denom === denom)?.amount ?? '0'
    const missing = BigInt(amount) - BigInt(deposited)
    return missing > 0n ? [{ denom, amount: missing.toString() }] : []
  })

const UNKNOWN_EXPEDITED = 'the parameters of governance have no minimum for an expedited vote'

export const toDepositRequirement = (row: DepositColumns): DepositRequirement => {
  const { expedited, total_deposit: total, min_deposit_reason: reason } = row
  const unknown = { minimum: null, expeditedMinimum: null, missing: null }
  if (reason !== null) return { ...unknown, reason }
  const minimum = [...row.min_deposit]
  if (!expedited) {
    return {
      minimum,
      expeditedMinimum: null,
      missing: computeMissing(total, minimum),
      reason: null,
    }
  }
  const expeditedMinimum = [...row.expedited_min_deposit]
  if (expeditedMinimum.length === 0) return { ...unknown, minimum, reason: UNKNOWN_EXPEDITED }
  return {
    minimum,
    expeditedMinimum,
    missing: computeMissing(total, expeditedMinimum),
    reason: null,
  }
}
