// The deposit that a proposal needs to start its vote, and the missing amount. Pure.
import type { Coin } from '../../../ingest/contract/facts.ts'
import type { ProposalRow } from '../../../projections/contract/tables/proposals.ts'
import type { DepositRequirement } from '../../schemas/deposit.ts'

type DepositColumns = Pick<
  ProposalRow,
  'expedited' | 'totalDeposit' | 'minDeposit' | 'expeditedMinDeposit' | 'minDepositReason'
>

/** The chain requires the minimum of every denom. */
const computeMissing = (total: readonly Coin[], minimum: readonly Coin[]) =>
  minimum.flatMap(({ denom, amount }) => {
    const deposited = total.find((coin) => coin.denom === denom)?.amount ?? '0'
    const missing = BigInt(amount) - BigInt(deposited)
    return missing > 0n ? [{ denom, amount: missing.toString() }] : []
  })

const UNKNOWN_EXPEDITED = 'the parameters of governance have no minimum for an expedited vote'

export const toDepositRequirement = (row: DepositColumns): DepositRequirement => {
  const { expedited, totalDeposit: total, minDepositReason: reason } = row
  const unknown = { minimum: null, expeditedMinimum: null, missing: null }
  if (reason !== null) return { ...unknown, reason }
  const minimum = [...row.minDeposit]
  if (!expedited) {
    return {
      minimum,
      expeditedMinimum: null,
      missing: computeMissing(total, minimum),
      reason: null,
    }
  }
  const expeditedMinimum = [...row.expeditedMinDeposit]
  if (expeditedMinimum.length === 0) return { ...unknown, minimum, reason: UNKNOWN_EXPEDITED }
  return {
    minimum,
    expeditedMinimum,
    missing: computeMissing(total, expeditedMinimum),
    reason: null,
  }
}
