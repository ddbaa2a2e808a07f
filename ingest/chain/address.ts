// Finds the account of an operator: the same bytes under the account prefix, which only the chain knows.
import { Bech32PrefixRequest, Bech32PrefixResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import type { ChainNode } from '../comet/endpoints/node.ts'
import { decodeAddress, encodeAddress } from '../contract/address.ts'
import { isKnown } from './answer.ts'
import { proposalsAt } from './gov.ts'
import { ask } from './query.ts'

const prefixMethod = {
  path: '/cosmos.auth.v1beta1.Query/Bech32Prefix',
  request: Bech32PrefixRequest,
  response: Bech32PrefixResponse,
}

const USUAL_SUFFIX = 'valoper'

/** The setting of the chain, or the prefix of any proposer. */
const accountPrefixAt = async (
  node: Pick<ChainNode, 'abciQuery'>,
  height: number,
): Promise<string | undefined> => {
  const answer = await ask(node, prefixMethod, { height })
  if (isKnown(answer) && answer.value.bech32Prefix !== '') return answer.value.bech32Prefix
  const listed = await proposalsAt(node, height)
  if (!isKnown(listed)) return undefined
  for (const { proposal } of listed.value.proposals) {
    const decoded = proposal.proposer === null ? undefined : decodeAddress(proposal.proposer)
    if (decoded) return decoded.prefix
  }
  return undefined
}

export type ToAccountAddress = (operatorAddress: string) => string | undefined

/**
 * Undefined for a text that is no address. If the account prefix is unknown, an account has the prefix of the
 * operator: the bytes are the same. `anyOperator` shows whether the chain uses the suffix of most chains.
 */
export const accountAddressesAt = async (
  node: Pick<ChainNode, 'abciQuery'>,
  { height, anyOperator = '' }: { height: number; anyOperator: string | undefined },
): Promise<ToAccountAddress> => {
  const isUsual = decodeAddress(anyOperator)?.prefix.endsWith(USUAL_SUFFIX) ?? true
  const own = isUsual ? undefined : await accountPrefixAt(node, height)
  return (operatorAddress) => {
    const decoded = decodeAddress(operatorAddress)
    if (!decoded) return undefined
    const { prefix, bytes } = decoded
    const isUsualHere = prefix.endsWith(USUAL_SUFFIX)
    return encodeAddress(
      own ?? (isUsualHere ? prefix.slice(0, -USUAL_SUFFIX.length) : prefix),
      bytes,
    )
  }
}
