// Creates valid bech32 addresses from short names.
import { createHash } from 'node:crypto'
import { toBech32 } from '@cosmjs/encoding'

const toAddressBytes = (name: string) =>
  new Uint8Array(createHash('sha256').update(name).digest().subarray(0, 20))

export const account = (name: string): string => toBech32('cosmos', toAddressBytes(name))
export const operator = (name: string): string => toBech32('cosmosvaloper', toAddressBytes(name))
