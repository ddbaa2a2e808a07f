// The rule of Kava: bKAVA in a wallet, in savings and in earn vaults votes with the staked tokens that it stands for.
// Source: Kava-Labs/kava, app/tally_handler.go, x/liquid/keeper, and the proto files of x/liquid, x/savings and x/earn.

import {
  QueryAllBalancesRequest,
  QueryAllBalancesResponse,
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import { type Answer, isAbsent, isKnown, known, withoutFailure } from '../chain/answer.ts'
import { ask, askAll, askModule } from '../chain/query.ts'
import { canonicalAddress } from '../contract/address.ts'
import { toWholeDecimal } from '../contract/decimal.ts'
import type { Delegation } from '../contract/delegation.ts'
import type { WireField } from '../schema/wire.ts'
import type { RuleModule, RuleNode } from './applied-rule.ts'
import { createMethod, readEntries } from './module-method.ts'

const BALANCES_PER_PAGE = 1_000

const supplyMethod = createMethod('/kava.liquid.v1beta1.Query/TotalSupply', {
  decode: (fields) => fields,
})

const balancesMethod = {
  path: '/cosmos.bank.v1beta1.Query/AllBalances',
  request: QueryAllBalancesRequest,
  response: QueryAllBalancesResponse,
  items: ({ balances }: QueryAllBalancesResponse) => balances.filter(isLiquid),
  limits: { pages: 100, items: 20_000, bytes: 10 * 2 ** 20 },
}

/** The coins of each deposit are in field `no`. */
const readCoins = (fields: WireField[], no: number): Coin[] =>
  readEntries(fields, 1).flatMap((deposit) =>
    deposit.flatMap(({ no: each, value }) =>
      each === no && value instanceof Uint8Array ? [Coin.decode(value)] : [],
    ),
  )

/** What an account has in a module. */
type Deposits = { method: ReturnType<typeof createMethod<Coin[]>>; owner: number }

const SAVINGS: Deposits = {
  method: createMethod('/kava.savings.v1beta1.Query/Deposits', {
    decode: (fields) => readCoins(fields, 2),
  }),
  owner: 2,
}
/** Their value in the denomination of the vault, not their shares of it. */
const EARN: Deposits = {
  method: createMethod('/kava.earn.v1beta1.Query/Deposits', {
    decode: (fields) => readCoins(fields, 3),
  }),
  owner: 1,
}

const DENOM = /^bkava-([a-z]+1[02-9ac-hj-np-z]+)$/
const isLiquid = ({ denom }: Coin): boolean => DENOM.test(denom)

type Of = { node: RuleNode; height: number; voter: string }

const readDeposits = async (
  { node, height, voter }: Of,
  { method, owner }: Deposits,
): Promise<Answer<Coin[]>> => {
  const answer = await ask(node, method, { height, texts: { [owner]: voter } })
  return isAbsent(answer) ? known([]) : withoutFailure(answer)
}

const readBalances = async ({ node, height, voter }: Of): Promise<Answer<Coin[]>> =>
  withoutFailure(
    await askAll(node, balancesMethod, { height, maxItems: BALANCES_PER_PAGE, address: voter }),
  )

/** One entry for each pool: the chain adds up what an account has before it takes whole tokens. */
const toDelegations = (coins: readonly Coin[]): Delegation[] => {
  const amounts = new Map<string, bigint>()
  for (const { denom, amount } of coins.filter(isLiquid)) {
    amounts.set(denom, (amounts.get(denom) ?? 0n) + BigInt(amount))
  }
  const sorted = [...amounts].sort(([one], [other]) => (one < other ? -1 : 1))
  return sorted.map(([denom, amount]) => ({
    operatorAddress: canonicalAddress(DENOM.exec(denom)?.[1] ?? ''),
    shares: toWholeDecimal(amount),
    source: 'bkava',
    power: 'whole',
  }))
}

export const liquidStake: RuleModule = {
  name: 'liquid_stake',
  find: async (node, height) => {
    const answer = await askModule(node, supplyMethod, { height, texts: {} })
    if (!isKnown(answer) || answer.value === undefined) return answer
    return known({
      name: 'liquid_stake',
      stakeOf: async (voter, delegations) => {
        const of = { node, height, voter }
        const coins: Coin[] = []
        const reads = [readBalances(of), readDeposits(of, SAVINGS), readDeposits(of, EARN)]
        for (const found of await Promise.all(reads)) {
          if (!isKnown(found)) return found
          coins.push(...found.value)
        }
        return known([...delegations, ...toDelegations(coins)])
      },
    })
  },
}
