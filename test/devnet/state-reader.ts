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
  answerKey,
  delegationKey,
  type Family,
  idAddressKey,
  idKey,
  lengthPrefixed,
  type SingleKey,
  singleKey,
} from '../../infra/app/chain/state.ts'
import { readText, readUint } from './fields.ts'
import type { RawRpc } from './rpc.ts'

const GOV = '/cosmos.gov.v1.Query'
const STAKING = '/cosmos.staking.v1beta1.Query'
const EVERYTHING = 1_000_000n
const VOTING_PERIOD = 2n
const NOTHING = new Uint8Array()

/** A query whose answer is recorded at every height. */
export type RecordedQuery = { path: string; data: Uint8Array }

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

async function readVotes(ask: Ask, id: bigint): Promise<StateEntry[]> {
  const request = concat([byId(id), page(2)])
  const [votes, deposits] = await Promise.all([
    ask(`${GOV}/Votes`, request),
    ask(`${GOV}/Deposits`, request),
  ])
  const keyed = (family: 'vote' | 'deposit') => (value: Uint8Array) => {
    const holder = address(readText(readFields(value), 2))
    return { family, key: idAddressKey(id, holder), value }
  }
  return [
    ...readRepeated(readFields(votes), 1).map(keyed('vote')),
    ...readRepeated(readFields(deposits), 1).map(keyed('deposit')),
  ]
}

async function readTally(ask: Ask, id: bigint): Promise<StateEntry> {
  const answer = await ask(`${GOV}/TallyResult`, byId(id))
  return { family: 'tally', key: idKey(id), value: readBytes(readFields(answer), 1) ?? NOTHING }
}

async function readProposals(ask: Ask): Promise<StateEntry[]> {
  const answer = await ask(`${GOV}/Proposals`, page(4))
  const tallies: Promise<StateEntry>[] = []
  const entries: StateEntry[] = readRepeated(readFields(answer), 1).map((value) => {
    const fields = readFields(value)
    const id = readUint(fields, 1)
    if (readUint(fields, 3) === VOTING_PERIOD) tallies.push(readTally(ask, id))
    return { family: 'proposal', key: idKey(id), value }
  })
  return [...entries, ...(await Promise.all(tallies))]
}

/** What the chain refuses, such as a contract that does not exist yet, has no entry. */
async function readAnswers(
  rpc: RawRpc,
  queries: readonly RecordedQuery[],
  height: number,
): Promise<StateEntry[]> {
  const answers = queries.map(async ({ path, data }): Promise<StateEntry[]> => {
    const { code, value } = await rpc.abciQuery(path, data, height)
    if (code !== 0) return []
    const key = answerKey(path, data)
    return [{ family: 'answer', key, value: Buffer.from(value ?? '', 'base64') }]
  })
  return (await Promise.all(answers)).flat()
}

async function readPools(ask: Ask): Promise<StateEntry[]> {
  const answer = await ask(`${STAKING}/Validators`, page(2))
  return readRepeated(readFields(answer), 1).map((value) => {
    const operator = readText(readFields(value), 1)
    return { family: 'pool', key: lengthPrefixed(address(operator)), value }
  })
}

async function readDelegations(ask: Ask, pool: StateEntry): Promise<StateEntry[]> {
  const operator = readText(readFields(pool.value), 1)
  const request = concat([bytesField(1, Buffer.from(operator)), page(2)])
  const answer = await ask(`${STAKING}/ValidatorDelegations`, request)
  return readRepeated(readFields(answer), 1).map((response) => {
    const value = readBytes(readFields(response), 1) ?? NOTHING
    const fields = readFields(value)
    const key = delegationKey(address(readText(fields, 1)), address(readText(fields, 2)))
    return { family: 'delegation', key, value }
  })
}

/** The state that a height may have changed by its events; `everything` ignores the events. */
export type Touched = { proposals: ReadonlySet<bigint>; stake: boolean } | 'everything'

const sameBytes = (a: readonly StateEntry[], b: readonly StateEntry[]) =>
  a.length === b.length &&
  a.every(({ value }, index) => Buffer.compare(value, b[index]?.value ?? NOTHING) === 0)

/** Votes may outlive their proposal's close, so every id up to the run's highest is looked at. */
export function createStateReader(
  rpc: RawRpc,
  { highestId, queries }: { highestId: bigint; queries: readonly RecordedQuery[] },
) {
  const votes = new Map<bigint, StateEntry[]>()
  let pools: StateEntry[] = []
  let delegations: StateEntry[] = []
  /** Everything as committed at `height`; heights must come in order. */
  return async (height: number, touched: Touched): Promise<StateEntry[]> => {
    const ask: Ask = (path, data) => rpc.query(path, data, height)
    const [singles, proposals, poolsNow, answers] = await Promise.all([
      readSingles(ask),
      readProposals(ask),
      readPools(ask),
      readAnswers(rpc, queries, height),
    ])
    const all = touched === 'everything'
    for (let id = 1n; id <= highestId; id++) {
      if (all || touched.proposals.has(id)) votes.set(id, await readVotes(ask, id))
    }
    if (all || touched.stake || !sameBytes(pools, poolsNow)) {
      delegations = (await Promise.all(poolsNow.map((pool) => readDelegations(ask, pool)))).flat()
    }
    pools = poolsNow
    const allVotes = [...votes.values()].flat()
    return [...singles, ...proposals, ...allVotes, ...pools, ...delegations, ...answers]
  }
}
