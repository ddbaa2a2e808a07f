// Reads all gov and staking state of one height from a node, through public queries.
import { fromBech32 } from '@cosmjs/encoding'
import {
  bytesField,
  concat,
  readBytes,
  readFields,
  readRepeated,
  uintField,
} from '../../infra/app/chain/raw-message.ts'
import {
  delegationKey,
  type Family,
  idAddressKey,
  idKey,
  lengthPrefixed,
  type SingleKey,
  singleKey,
} from '../../infra/app/chain/state.ts'
import type { RawRpc } from './rpc.ts'

const GOV = '/cosmos.gov.v1.Query'
const STAKING = '/cosmos.staking.v1beta1.Query'
const EVERYTHING = uintField(3, 1_000_000n)
const VOTING_PERIOD = 2
const NOTHING = new Uint8Array()

export type StateEntry = { family: Family; key: Uint8Array; value: Uint8Array }

const page = (field: number) => bytesField(field, EVERYTHING)

function readUint(message: Uint8Array, number: number): bigint {
  const found = readFields(message).find((field) => field.number === number)
  return found && 'varint' in found ? found.varint : 0n
}

const readText = (message: Uint8Array, number: number): string =>
  Buffer.from(readBytes(readFields(message), number) ?? NOTHING).toString()

const readAddress = (message: Uint8Array, number: number): Uint8Array =>
  fromBech32(readText(message, number)).data

/** Everything as committed at the height. Votes may outlive the close of their proposal, so every id up to the highest is read. */
export async function readState(
  rpc: RawRpc,
  { height, highestId }: { height: number; highestId: bigint },
): Promise<StateEntry[]> {
  const ask = async (path: string, data: Uint8Array = NOTHING) =>
    readFields(await rpc.query(path, data, height))
  const single = async (name: SingleKey, path: string, field: number): Promise<StateEntry> => ({
    family: 'single',
    key: singleKey(name),
    value: readBytes(await ask(path), field) ?? NOTHING,
  })

  const readTally = async (id: bigint): Promise<StateEntry> => {
    const value = readBytes(await ask(`${GOV}/TallyResult`, uintField(1, id)), 1) ?? NOTHING
    return { family: 'tally', key: idKey(id), value }
  }
  const readProposals = async (): Promise<StateEntry[]> => {
    const proposals = readRepeated(await ask(`${GOV}/Proposals`, page(4)), 1)
    const open = proposals.filter((value) => Number(readUint(value, 3)) === VOTING_PERIOD)
    const entries = proposals.map((value): StateEntry => {
      return { family: 'proposal', key: idKey(readUint(value, 1)), value }
    })
    return [...entries, ...(await Promise.all(open.map((value) => readTally(readUint(value, 1)))))]
  }
  const readHolders = async (id: bigint, family: 'vote' | 'deposit', method: string) => {
    const answer = await ask(`${GOV}/${method}`, concat([uintField(1, id), page(2)]))
    return readRepeated(answer, 1).map((value): StateEntry => {
      return { family, key: idAddressKey(id, readAddress(value, 2)), value }
    })
  }
  const readPools = async (): Promise<StateEntry[]> => {
    const pools = readRepeated(await ask(`${STAKING}/Validators`, page(2)), 1)
    const entries = pools.map((value): StateEntry => {
      return { family: 'pool', key: lengthPrefixed(readAddress(value, 1)), value }
    })
    return [...entries, ...(await Promise.all(pools.map(readDelegations))).flat()]
  }
  const readDelegations = async (pool: Uint8Array): Promise<StateEntry[]> => {
    const operator = Buffer.from(readText(pool, 1))
    const request = concat([bytesField(1, operator), page(2)])
    const answer = await ask(`${STAKING}/ValidatorDelegations`, request)
    return readRepeated(answer, 1).map((response): StateEntry => {
      const value = readBytes(readFields(response), 1) ?? NOTHING
      const key = delegationKey(readAddress(value, 1), readAddress(value, 2))
      return { family: 'delegation', key, value }
    })
  }
  const ids = Array.from({ length: Number(highestId) }, (_, index) => BigInt(index + 1))
  const parts = await Promise.all([
    single('gov.params', `${GOV}/Params`, 4),
    single('gov.constitution', `${GOV}/Constitution`, 1),
    single('staking.params', `${STAKING}/Params`, 1),
    single('staking.pool', `${STAKING}/Pool`, 1),
    readProposals(),
    ...ids.map((id) => readHolders(id, 'vote', 'Votes')),
    ...ids.map((id) => readHolders(id, 'deposit', 'Deposits')),
    readPools(),
  ])
  return parts.flat()
}
