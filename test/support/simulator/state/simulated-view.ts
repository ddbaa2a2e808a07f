// The state of a simulated chain as its queries read it. Entries are encoded when they are read.
import { Params, Proposal, TallyResult, Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  Delegation,
  Pool,
  Params as StakingParams,
  Validator,
} from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import {
  type Entry,
  type Family,
  idKey,
  lengthPrefixed,
  type SingleKey,
  type StateView,
} from '../../../../infra/app/chain/state.ts'
import { account, operator, toAddressBytes } from '../addresses.ts'
import type { ChainState } from './chain-state.ts'
import { type PoolInState, tallyInState, toAtto } from './node-tally.ts'

/** `state`: for queries of modules that only some chains have. */
export type SimulatedView = StateView & { readonly state: ChainState }

const BONDED = 3
const BOND_DENOM = 'stake'
const DEFAULT_PAGE_SIZE = 2

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const lazily = <Value extends object>(create: () => Value): (() => Value) => {
  let created: Value | undefined
  return () => {
    created ??= create()
    return created
  }
}

const createEntry = (key: Uint8Array, encode: () => Uint8Array): Entry => ({
  key,
  get value() {
    return encode()
  },
})

type Table = { entries: readonly Entry[]; byKey: ReadonlyMap<string, Entry> }

const createTable = (entries: Entry[]): Table => ({
  entries: entries.sort((left, right) => Buffer.compare(left.key, right.key)),
  byKey: new Map(entries.map((entry) => [toHex(entry.key), entry])),
})

const toValidator = (name: string, pool: PoolInState, state: ChainState): Validator => {
  const { tokens, status, jailed, moniker = `Pool ${name}`, shares = tokens } = pool
  return Validator.fromPartial({
    operatorAddress: operator(name),
    description: { moniker },
    tokens: `${tokens}`,
    delegatorShares: `${toAtto(shares, state)}`,
    status,
    jailed,
  })
}

const listPools = (state: ChainState): Table =>
  createTable(
    [...state.pools].map(([name, pool]) =>
      createEntry(lengthPrefixed(toAddressBytes(operator(name))), () =>
        Validator.encode(toValidator(name, pool, state)).finish(),
      ),
    ),
  )

const listProposals = ({ proposals }: ChainState): Table =>
  createTable(
    [...proposals].map(([id, proposal]) =>
      createEntry(idKey(BigInt(id)), () => Proposal.encode(proposal).finish()),
    ),
  )

/** The delegations of one owner, or of all owners at one pool. */
const createDelegations = (state: ChainState) => {
  const { delegations: all } = state
  const encode = (owner: string, pool: string, amount: bigint) => () =>
    Delegation.encode({
      delegatorAddress: account(owner),
      validatorAddress: operator(pool),
      shares: `${toAtto(amount, state)}`,
    }).finish()
  const names = lazily(
    () => new Map([...all.keys()].map((name) => [toHex(toAddressBytes(account(name))), name])),
  )
  return {
    ofOwner: (address: Uint8Array): Table => {
      const owner = names().get(toHex(address)) ?? ''
      const entries = [...(all.get(owner) ?? [])].map(([pool, amount]) =>
        createEntry(lengthPrefixed(toAddressBytes(operator(pool))), encode(owner, pool, amount)),
      )
      return createTable(entries)
    },
    atPool: (address: Uint8Array): Table => {
      const pool = [...state.pools.keys()].find(
        (name) => Buffer.compare(toAddressBytes(operator(name)), address) === 0,
      )
      const entries = [...all].flatMap(([owner, owned]) => {
        const amount = pool === undefined ? undefined : owned.get(pool)
        if (pool === undefined || !amount) return []
        return createEntry(toAddressBytes(account(owner)), encode(owner, pool, amount))
      })
      return createTable(entries)
    },
  }
}

const singles: Readonly<Record<SingleKey, (state: ChainState) => Uint8Array>> = {
  'gov.params': ({ params }) => Params.encode(params).finish(),
  'gov.constitution': () => new Uint8Array(),
  'staking.params': ({ maxPools: maxValidators = 100 }) =>
    StakingParams.encode(
      StakingParams.fromPartial({ maxValidators, bondDenom: BOND_DENOM }),
    ).finish(),
  'staking.pool': ({ pools }) => {
    const bonded = [...pools.values()].filter(({ status }) => status === BONDED)
    const bondedTokens = bonded.reduce((sum, { tokens }) => sum + tokens, 0n)
    return Pool.encode({ notBondedTokens: '0', bondedTokens: `${bondedTokens}` }).finish()
  },
}

const listVotes = ({ votes }: ChainState, id: string): Table =>
  createTable(
    (votes.get(id) ?? []).map((vote) =>
      createEntry(lengthPrefixed(toAddressBytes(vote.voter)), () => Vote.encode(vote).finish()),
    ),
  )

/** Where the first part of a key ends: lists of these families are read by that part. */
const countPartBytes = (family: Family, key: Uint8Array): number => {
  if (family === 'vote') return 8
  return family === 'delegation' ? 1 + (key[0] ?? 0) : 0
}

const readId = (key: Uint8Array): string => `${Buffer.from(key).readBigUInt64BE()}`

const VOTING_PERIOD = 2

const tallyOpenVote = (state: ChainState, id: string): Uint8Array | undefined => {
  if (state.proposals.get(id)?.status !== VOTING_PERIOD) return undefined
  const tally = state.liveTallies?.get(id) ?? tallyInState(state, id, state.countsBy)
  return TallyResult.encode(tally).finish()
}

/** The state must not change later. */
export const createView = (state: ChainState): SimulatedView => {
  const delegations = createDelegations(state)
  const createPart = (family: Family, part: Uint8Array): Table => {
    switch (family) {
      case 'proposal':
        return listProposals(state)
      case 'pool':
        return listPools(state)
      case 'vote':
        return listVotes(state, readId(part))
      case 'delegation':
        return delegations.ofOwner(part.subarray(1))
      default:
        return createTable([])
    }
  }
  const parts = new Map<string, Table>()
  const readPart = (family: Family, part: Uint8Array): Table => {
    const name = `${family} ${toHex(part)}`
    const table = parts.get(name) ?? createPart(family, part)
    parts.set(name, table)
    return table
  }
  const single = (name: SingleKey) => singles[name](state)
  return {
    state,
    single,
    pageSize: state.pageSize ?? DEFAULT_PAGE_SIZE,
    get: (family, key) => {
      if (family === 'tally') return tallyOpenVote(state, readId(key))
      const end = countPartBytes(family, key)
      return readPart(family, key.subarray(0, end)).byKey.get(toHex(key.subarray(end)))?.value
    },
    list: (family, prefix = new Uint8Array()) => readPart(family, prefix).entries,
    delegationsTo: (pool) => delegations.atPool(pool).entries,
  }
}
