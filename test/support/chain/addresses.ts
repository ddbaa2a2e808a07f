// Real bech32 addresses out of short names, so that code which checks them is content.
import { createHash } from 'node:crypto'
import { toBech32 } from '@cosmjs/encoding'

const toAddressBytes = (name: string) =>
  new Uint8Array(createHash('sha256').update(name).digest().subarray(0, 20))

export const account = (name: string): string => toBech32('cosmos', toAddressBytes(name))
export const operator = (name: string): string => toBech32('cosmosvaloper', toAddressBytes(name))
