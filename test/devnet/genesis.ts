// What one chain of the devnet has that another has not, and its genesis: bonded pools, short periods, funded accounts.
import { toBase64 } from '@cosmjs/encoding'
import { type Account, createConsensusKey, moduleAddress, toPoolAddress } from './accounts.ts'
import type { ProgramName } from './build-node.ts'

export const BOND_DENOM = 'uroll'
export const ROLL = 1_000_000n
/** The balance of every account, in addition to its stake. */
const SPENDABLE = 60_000_000n * ROLL
const ONE = 10n ** 18n
const MILLION = 1_000_000n

// biome-ignore lint/suspicious/noExplicitAny: the chain's own genesis file, edited in place
type Json = any

export type PoolSeed = {
  moniker: string
  details?: string
  selfTokens: bigint
  /** Shares per million tokens: above a million, the pool was slashed before genesis. */
  sharesPerMillion?: bigint
  commission?: string
}

/** A delegator who votes for itself. */
export type WhaleSeed = {
  name: string
  /** The index of its pool. */
  pool: number
  tokens: bigint
}

export type ChainSpec = {
  program: ProgramName
  /** Further arguments of the node's `start`. */
  startArgs?: readonly string[]
  chainId: string
  addressPrefix: string
  /** The first word of the names of its x/gov; by default `cosmos`. */
  gov?: 'cosmos' | 'atomone'
  periods: { votingSeconds: number; expeditedSeconds: number; depositSeconds: number }
  /** The first one signs all blocks: it needs more than two thirds of the power of the consensus set. */
  pools: readonly PoolSeed[]
  whales: readonly WhaleSeed[]
  /** Changes `app_state` at the end. */
  editGenesis(app: Json): void
}

/** `operators[0]` owns the pool that signs; `people` are funded and have nothing staked. */
export type DevnetAccounts = { operators: Account[]; whales: Account[]; people: Account[] }

const decimal = (scaled: bigint) => `${scaled / ONE}.${String(scaled % ONE).padStart(18, '0')}`
const coin = (amount: bigint) => ({ denom: BOND_DENOM, amount: String(amount) })

type Delegator = { account: Account; tokens: bigint }
type StakedPool = { pool: PoolSeed; index: number; operator: Account; delegators: Delegator[] }

function listStakedPools({ pools, whales }: ChainSpec, accounts: DevnetAccounts): StakedPool[] {
  return pools.map((pool, index) => {
    const operator = accounts.operators[index]
    if (!operator) throw new Error(`pool ${pool.moniker} has no operator`)
    const own = whales.flatMap((whale, at): Delegator[] => {
      const account = accounts.whales[at]
      return account && whale.pool === index ? [{ account, tokens: whale.tokens }] : []
    })
    const delegators = [{ account: operator, tokens: pool.selfTokens }, ...own]
    return { pool, index, operator, delegators }
  })
}

const sumTokens = (delegators: readonly Delegator[]): bigint =>
  delegators.reduce((sum, { tokens }) => sum + tokens, 0n)

const toShares = ({ sharesPerMillion = MILLION }: PoolSeed, tokens: bigint): string =>
  decimal((tokens * ONE * sharesPerMillion) / MILLION)

/** The chain bonds it in its first block. */
function createValidator({ pool, index, operator, delegators }: StakedPool, time: string): Json {
  return {
    operator_address: toPoolAddress(operator),
    consensus_pubkey: {
      '@type': '/cosmos.crypto.ed25519.PubKey',
      key: toBase64(createConsensusKey(String(index)).publicKey),
    },
    jailed: false,
    status: 'BOND_STATUS_UNBONDED',
    tokens: String(sumTokens(delegators)),
    delegator_shares: toShares(pool, sumTokens(delegators)),
    description: { moniker: pool.moniker, details: pool.details ?? '' },
    unbonding_height: '0',
    unbonding_time: '1970-01-01T00:00:00Z',
    commission: {
      commission_rates: {
        rate: pool.commission ?? '0.050000000000000000',
        max_rate: '0.300000000000000000',
        max_change_rate: '0.010000000000000000',
      },
      update_time: time,
    },
    min_self_delegation: '1',
    unbonding_on_hold_ref_count: '0',
    unbonding_ids: [],
  }
}

const createDelegations = ({ pool, operator, delegators }: StakedPool): Json[] =>
  delegators.map(({ account, tokens }) => ({
    delegator_address: account.address,
    validator_address: toPoolAddress(operator),
    shares: toShares(pool, tokens),
  }))

function fund(app: Json, accounts: readonly Account[], stake: { holder: string; tokens: bigint }) {
  app.auth.accounts = accounts.map((account, index) => ({
    '@type': '/cosmos.auth.v1beta1.BaseAccount',
    address: account.address,
    pub_key: null,
    account_number: String(index),
    sequence: '0',
  }))
  app.bank.balances = [
    ...accounts.map(({ address }) => ({ address, coins: [coin(SPENDABLE)] })),
    { address: stake.holder, coins: [coin(stake.tokens)] },
  ]
  app.bank.supply = [coin(BigInt(accounts.length) * SPENDABLE + stake.tokens)]
}

/** Edits what the node's `init` wrote; answers the whole file's text. */
export function createGenesis(initial: string, spec: ChainSpec, accounts: DevnetAccounts): string {
  const time = new Date().toISOString()
  const genesis: Json = JSON.parse(initial.replaceAll('"stake"', `"${BOND_DENOM}"`))
  const app = genesis.app_state
  const pools = listStakedPools(spec, accounts)
  genesis.chain_id = spec.chainId
  genesis.genesis_time = time
  fund(app, [...accounts.operators, ...accounts.whales, ...accounts.people], {
    holder: moduleAddress('not_bonded_tokens_pool', spec.addressPrefix),
    tokens: sumTokens(pools.flatMap(({ delegators }) => delegators)),
  })
  app.staking.validators = pools.map((pool) => createValidator(pool, time))
  app.staking.delegations = pools.flatMap(createDelegations)
  app.staking.params.max_validators = 60
  // Header history would double the recording; without it, chain and replay answer "not found".
  app.staking.params.historical_entries = 0
  // The other pools never sign: the window must outlast the run, or all would be jailed.
  app.slashing.params.signed_blocks_window = '1000000'
  app.slashing.params.downtime_jail_duration = '1s'
  Object.assign(app.gov.params, {
    min_deposit: [coin(100n * ROLL)],
    expedited_min_deposit: [coin(500n * ROLL)],
    max_deposit_period: `${spec.periods.depositSeconds}s`,
    voting_period: `${spec.periods.votingSeconds}s`,
    expedited_voting_period: `${spec.periods.expeditedSeconds}s`,
  })
  spec.editGenesis(app)
  return JSON.stringify(genesis)
}
