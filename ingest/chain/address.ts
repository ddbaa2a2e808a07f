// Converts Bech32 addresses of one chain: an operator and its account are the same bytes under two prefixes.
import { fromBech32, toBech32 } from '@cosmjs/encoding'

/** Contracts and groups have 32 bytes: longer than the 90 characters that BIP 173 allows. */
const LENGTH_LIMIT = 256
const OPERATOR_SUFFIX = 'valoper'

/** `cosmosvaloper1…` → `cosmos1…`; undefined if it is not an operator address. */
export const toAccountAddress = (operatorAddress: string): string | undefined => {
  try {
    const { prefix, data } = fromBech32(operatorAddress, LENGTH_LIMIT)
    if (!prefix.endsWith(OPERATOR_SUFFIX)) return undefined
    return toBech32(prefix.slice(0, -OPERATOR_SUFFIX.length), data, LENGTH_LIMIT)
  } catch {
    return undefined
  }
}

/** Whether a text looks like an address. The checksum is not verified: enough for a lookup among known addresses. */
export const isAddressLike = (text: string): boolean =>
  text.length >= 39 && text.length <= LENGTH_LIMIT && /^[a-z0-9]+1[02-9ac-hj-np-z]{38,}$/.test(text)
