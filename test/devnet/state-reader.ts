// Reads all gov and staking state of one height from a node, through the same queries that anybody may ask.
import { fromBech32 } from '@cosmjs/encoding'
import {
  bytesField,
  concat,
  readBytes,
  readFields,
  readRepeated,
  readText,
  readUint,
  uintField,
} from '../../infra/demo/protobuf.ts'
import {
  delegationKey,
  type Family,
  idAddressKey,
  idKey,
  lengthPrefixed,
  type SingleKey,
  singleKey,
} from '../../infra/demo/state-changes.ts'
import type { RawRpc } from './rpc.ts'

const GOV = '/cosmos.gov.v1.Query'
const STAKING = '/cosmos.staking.v1beta1.Query'
const EVERYTHING = 1_000_000n
const VOTING_PERIOD = 2n

export type StateEntry = { family: Family; key: Uint8Array; value: Uint8Array }

const address = (text: string) => fromBech32(text).data
const page = (field: number) => bytesField(field, uintField(3, EVERYTHING))
const byId = (id: bigint) => uintField(1, id)

type Ask = (path: string, data: Uint8Array) => Promise<Uint8Array>

async function readSingles(ask: Ask): Promise<StateEntry[]> {
  const single = (name: SingleKey, value: Uint8Array | undefined): StateEntry => ({
    family: 'single',
    key: singleKey(name),
    value: value ?? new Uint8Array(),
  })
  const none = new Uint8Array()
  const [params, constitution, stakingParams, pool] = await Promise.all([
    ask(`${GOV}/Params`, none),
    ask(`${GOV}/Constitution`, none),
    ask(`${STAKING}/Params`, none),
    ask(`${STAKING}/Pool`, none),
  ])
  return [
    single('gov.params', readBytes(readFields(params), 4)),
    single('gov.constitution', readBytes(readFields(constitution), 1)),
    single('staking.params', readBytes(readFields(stakingParams), 1)),
    single('staking.pool', readBytes(readFields(pool), 1)),
  ]
}

async function readBallots(ask: Ask, id: bigint, isVoting: boolean): Promise<StateEntry[]> {
  const request = concat([byId(id), page(2)])
  const [votes, deposits, tally] = await Promise.all([
    ask(`${GOV}/Votes`, request),
    ask(`${GOV}/Deposits`, request),
    isVoting ? ask(`${GOV}/TallyResult`, byId(id)) : undefined,
  ])
  const keyed = (family: 'vote' | 'deposit') => (value: Uint8Array) => {
    const holder = address(readText(readFields(value), 2))
    return { family, key: idAddressKey(id, holder), value }
  }
  return [
    ...readRepeated(readFields(votes), 1).map(keyed('vote')),
    ...readRepeated(readFields(deposits), 1).map(keyed('deposit')),
    ...(tally
      ? [{ family: 'tally' as const, key: idKey(id), value: readBytes(readFields(tally), 1)! }]
      : []),
  ]
}

/** Votes may outlive their proposal's close, so every id that was ever given out is asked for. */
async function readGovernance(ask: Ask, highestId: bigint): Promise<StateEntry[]> {
  const answer = await ask(`${GOV}/Proposals`, page(4))
  const voting = new Set<bigint>()
  const entries: StateEntry[] = readRepeated(readFields(answer), 1).map((value) => {
    const fields = readFields(value)
    const id = readUint(fields, 1)
    if (readUint(fields, 3) === VOTING_PERIOD) voting.add(id)
    return { family: 'proposal', key: idKey(id), value }
  })
  const ids = Array.from({ length: Number(highestId) }, (_, index) => BigInt(index + 1))
  const ballots = await Promise.all(ids.map((id) => readBallots(ask, id, voting.has(id))))
  return [...entries, ...ballots.flat()]
}

async function readDelegations(ask: Ask, operator: string): Promise<StateEntry[]> {
  const request = concat([bytesField(1, Buffer.from(operator)), page(2)])
  const answer = await ask(`${STAKING}/ValidatorDelegations`, request)
  return readRepeated(readFields(answer), 1).map((response) => {
    const value = readBytes(readFields(response), 1)
    if (!value) throw new Error('a delegation response without a delegation')
    const fields = readFields(value)
    const key = delegationKey(address(readText(fields, 1)), address(readText(fields, 2)))
    return { family: 'delegation', key, value }
  })
}

async function readStaking(ask: Ask): Promise<StateEntry[]> {
  const answer = await ask(`${STAKING}/Validators`, page(2))
  const operators: string[] = []
  const entries: StateEntry[] = readRepeated(readFields(answer), 1).map((value) => {
    const operator = readText(readFields(value), 1)
    operators.push(operator)
    return { family: 'pool', key: lengthPrefixed(address(operator)), value }
  })
  const delegations = await Promise.all(operators.map((each) => readDelegations(ask, each)))
  return [...entries, ...delegations.flat()]
}

/** Everything, as committed at `height`; `highestId` is the highest proposal id of the whole run. */
export async function readState(
  rpc: RawRpc,
  height: number,
  highestId: bigint,
): Promise<StateEntry[]> {
  const ask: Ask = (path, data) => rpc.query(path, data, height)
  const parts = await Promise.all([
    readSingles(ask),
    readGovernance(ask, highestId),
    readStaking(ask),
  ])
  return parts.flat()
}
