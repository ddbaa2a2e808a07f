// Reads and changes the number of pools that governance counts: field 12 of the provider's parameters.
// Fields: cosmos/interchain-security v7.0.1, proto/interchain_security/ccv/provider/v1/{provider,query,tx}.proto
import type { EncodeObject } from '@cosmjs/proto-signing'
import {
  bytesField,
  concat,
  type Field,
  readBytes,
  readFields,
  stringField,
  uintField,
} from '../../../infra/app/chain/raw-message.ts'
import { readUint } from '../fields.ts'
import type { RawRpc } from '../rpc.ts'

const SERVICE = 'interchain_security.ccv.provider.v1'
const LIMIT_FIELD = 12

async function readParams(rpc: RawRpc, height: number): Promise<Field[]> {
  const answer = await rpc.query(`/${SERVICE}.Query/QueryParams`, new Uint8Array(), height)
  const params = readBytes(readFields(answer), 1)
  if (!params) throw new Error('the chain has no parameters of a provider')
  return readFields(params)
}

export const readLimit = async (rpc: RawRpc, height: number): Promise<number> =>
  Number(readUint(await readParams(rpc, height), LIMIT_FIELD))

const writeField = (field: Field): Uint8Array =>
  'bytes' in field ? bytesField(field.number, field.bytes) : uintField(field.number, field.varint)

/** The message of a proposal that changes the limit and keeps the other parameters. */
export async function updateLimit(
  rpc: RawRpc,
  authority: string,
  limit: number,
): Promise<EncodeObject> {
  const others = (await readParams(rpc, 0)).filter(({ number }) => number !== LIMIT_FIELD)
  const params = concat([...others.map(writeField), uintField(LIMIT_FIELD, BigInt(limit))])
  return {
    typeUrl: `/${SERVICE}.MsgUpdateParams`,
    value: concat([stringField(1, authority), bytesField(2, params)]),
  }
}
