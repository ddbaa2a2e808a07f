// The rule of Cronos POS since version 7: the delegated positions of reward tiers vote with their shares.
// Source: crypto-org-chain/chain-main, x/tieredrewards/keeper/gov_tally.go and proto/chainmain/tieredrewards/v1/query.proto.
import type { PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { isKnown, known, unavailable, withoutFailure } from '../chain/answer.ts'
import { askAll, askModule } from '../chain/query.ts'
import { canonicalAddress } from '../contract/address.ts'
import { toDecimal } from '../contract/decimal.ts'
import type { Delegation } from '../contract/delegation.ts'
import type { WireField } from '../schema/wire.ts'
import type { RuleModule } from './applied-rule.ts'
import { createMethod, readEntries, readPage, readText } from './module-method.ts'

const path = (method: string): string => `/chainmain.tieredrewards.v1.Query/${method}`
const POSITIONS_PER_PAGE = 500

const paramsMethod = createMethod(path('Params'), { decode: (fields) => fields })

type Position = { operatorAddress: string; shares: string | undefined }

/** A position without an operator is not delegated. */
const readPosition = (fields: WireField[]): Position => ({
  operatorAddress: canonicalAddress(readText(fields, 5)),
  shares: toDecimal(readText(fields, 6)),
})

type Positions = { positions: Position[]; pagination: PageResponse }

const positionsMethod = {
  ...createMethod<Positions>(path('TierPositionsByOwner'), {
    decode: (fields) => ({
      positions: readEntries(fields, 1).map(readPosition),
      pagination: readPage(fields, 2),
    }),
    page: 2,
  }),
  items: ({ positions }: Positions) =>
    positions.filter(({ operatorAddress }) => operatorAddress !== ''),
  limits: { pages: 100, items: 20_000, bytes: 10 * 2 ** 20 },
}

const toDelegation = ({ operatorAddress, shares }: Position): Delegation[] =>
  shares === undefined ? [] : [{ operatorAddress, shares, source: 'tier' }]

export const tieredStake: RuleModule = {
  name: 'tiered_stake',
  find: async (node, height) => {
    const answer = await askModule(node, paramsMethod, { height, texts: {} })
    if (!isKnown(answer) || answer.value === undefined) return answer
    return known({
      name: 'tiered_stake',
      stakeOf: async (voter, delegations) => {
        const request = { height, maxItems: POSITIONS_PER_PAGE, texts: { 1: voter } }
        const found = await askAll(node, positionsMethod, request)
        if (!isKnown(found)) return withoutFailure(found)
        const positions = found.value.flatMap(toDelegation)
        return positions.length === found.value.length
          ? known([...delegations, ...positions])
          : unavailable(`a position of ${voter} cannot be decoded`)
      },
    })
  },
}
