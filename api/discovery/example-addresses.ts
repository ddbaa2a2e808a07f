// Examples in documents are recorded from the demo chain. This writes their addresses with the prefixes of the served chain. Pure.
import { decodeAddress, encodeAddress } from '../../ingest/contract/address.ts'
import type { AddressPrefixes } from '../read/queries/addresses.ts'

/** An address of the demo chain, as an account or as an operator. */
const RECORDED = /\bwasm(valoper)?1[02-9ac-hj-np-z]{38,58}\b/g

/** The same bytes with other prefixes; a prefix that is not known changes nothing. */
export const respellExamples = (text: string, prefixes: AddressPrefixes | null): string =>
  text.replace(RECORDED, (recorded: string, operator: string | undefined) => {
    const prefix = operator === undefined ? prefixes?.account : prefixes?.operator
    const decoded = decodeAddress(recorded)
    return prefix && decoded ? encodeAddress(prefix, decoded.bytes) : recorded
  })
