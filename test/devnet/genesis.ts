// Changes the default genesis of a chain for the devnet: bonded pools, short periods, funded accounts.
import { fromBech32, toBase64, toBech32 } from '@cosmjs/encoding'
import type { Account, ConsensusKey } from './accounts.ts'
import { createConsensusKey, moduleAddress } from './accounts.ts'
import { BOND_DENOM, type ChainSpec, type Json, type PoolSeed } from './chain-spec.ts'

export type Periods = { votingSeconds: number; expeditedSeconds: number; depositSeconds: number }
export const DEFAULT_PERIODS: Periods = {
  votingSeconds: 75,
  expeditedSeconds: 25,
  depositSeconds: 30,
}
/** The balance of every account, in addition to its stake. */
const SPENDABLE = 20_000_000_000_000n
const ONE = 10n ** 18n

export type GenesisAccounts = {
  operators: readonly Account[]
  whales: readonly Account[]
  others: readonly Account[]
}

const decimal = (scaled: bigint) => `${scaled / ONE}.${String(scaled % ONE).padStart(18, '0')}`

type Staked = { validators: Json[]; delegations: Json[]; signingInfos: Json[]; bonded: bigint }

function stakePools(spec: ChainSpec, people: GenesisAccounts, time: string): Staked {
  const staked: Staked = { validators: [], delegations: [], signingInfos: [], bonded: 0n }
  for (const [index, pool] of spec.pools.entries()) {
    const operator = people.operators[index]
    if (!operator) throw new Error(`pool ${pool.moniker} has no operator`)
    const whales = spec.whales.map((whale, at) => ({ ...whale, account: people.whales[at] }))
    const delegators = [
      { address: operator.address, tokens: pool.selfTokens },
      ...whales
        .filter((whale) => whale.pool === index)
        .map(({ account, tokens }) => ({ address: account?.address ?? '', tokens })),
    ]
    const key = createConsensusKey(String(index))
    const tokens = delegators.reduce((sum, each) => sum + each.tokens, 0n)
    const toShares = (amount: bigint) => (amount * ONE * pool.sharesPerMillion) / 1_000_000n
    const shares = delegators.reduce((sum, each) => sum + toShares(each.tokens), 0n)
    staked.bonded += tokens
    staked.validators.push(
      createValidator(pool, { operator, key, tokens, shares: decimal(shares), time }),
    )
    staked.signingInfos.push(createSigningInfo(key, spec.addressPrefix))
    for (const each of delegators) {
      staked.delegations.push({
        delegator_address: each.address,
        validator_address: operatorAddress(operator.address),
        shares: decimal(toShares(each.tokens)),
      })
    }
  }
  return staked
}

export function operatorAddress(account: string): string {
  const { prefix, data } = fromBech32(account)
  return toBech32(`${prefix}valoper`, data)
}

function createValidator(
  pool: PoolSeed,
  is: { operator: Account; key: ConsensusKey; tokens: bigint; shares: string; time: string },
): Json {
  return {
    operator_address: operatorAddress(is.operator.address),
    consensus_pubkey: {
      '@type': '/cosmos.crypto.ed25519.PubKey',
      key: toBase64(is.key.publicKey),
    },
    jailed: false,
    status: 'BOND_STATUS_BONDED',
    tokens: String(is.tokens),
    delegator_shares: is.shares,
    description: {
      moniker: pool.moniker,
      identity: pool.identity ?? '',
      website: pool.website ?? '',
      security_contact: pool.securityContact ?? '',
      details: pool.details,
    },
    unbonding_height: '0',
    unbonding_time: '1970-01-01T00:00:00Z',
    commission: {
      commission_rates: {
        rate: pool.commission,
        max_rate: '0.300000000000000000',
        max_change_rate: '0.010000000000000000',
      },
      update_time: is.time,
    },
    min_self_delegation: '1',
    unbonding_on_hold_ref_count: '0',
    unbonding_ids: [],
  }
}

function createSigningInfo(key: ConsensusKey, prefix: string): Json {
  const address = toBech32(`${prefix}valcons`, key.address)
  return {
    address,
    validator_signing_info: {
      address,
      start_height: '0',
      index_offset: '0',
      jailed_until: '1970-01-01T00:00:00Z',
      tombstoned: false,
      missed_blocks_counter: '0',
    },
  }
}

const coin = (amount: bigint) => ({ denom: BOND_DENOM, amount: String(amount) })

function fund(
  app: Json,
  people: GenesisAccounts,
  { bonded, pool }: { bonded: bigint; pool: string },
): void {
  const accounts = [...people.operators, ...people.whales, ...people.others]
  app.auth.accounts = accounts.map((account, index) => ({
    '@type': '/cosmos.auth.v1beta1.BaseAccount',
    address: account.address,
    pub_key: null,
    account_number: String(index),
    sequence: '0',
  }))
  app.bank.balances = [
    ...accounts.map(({ address }) => ({ address, coins: [coin(SPENDABLE)] })),
    { address: pool, coins: [coin(bonded)] },
  ]
  app.bank.supply = [coin(BigInt(accounts.length) * SPENDABLE + bonded)]
  app.bank.denom_metadata = [
    {
      description: 'The staking token of the demo chain.',
      denom_units: [
        { denom: BOND_DENOM, exponent: 0, aliases: [] },
        { denom: 'roll', exponent: 6, aliases: [] },
      ],
      base: BOND_DENOM,
      display: 'roll',
      name: 'Roll',
      symbol: 'ROLL',
      uri: '',
      uri_hash: '',
    },
  ]
}

/** Edits what the node's `init` wrote; answers the whole file's text. */
export function devnetGenesis(
  initial: string,
  options: { spec: ChainSpec; people: GenesisAccounts; periods: Periods; time: string },
): string {
  const genesis: Json = JSON.parse(initial.replaceAll('"stake"', `"${BOND_DENOM}"`))
  const app = genesis.app_state
  const { spec, people, periods, time } = options
  const staked = stakePools(spec, people, time)
  genesis.chain_id = spec.chainId
  genesis.genesis_time = time
  const pool = moduleAddress('bonded_tokens_pool', spec.addressPrefix)
  fund(app, people, { bonded: staked.bonded, pool })
  app.staking.validators = staked.validators
  app.staking.delegations = staked.delegations
  app.staking.params.max_validators = 60
  // Header history would double the recording; without it, chain and replay answer "not found".
  app.staking.params.historical_entries = 0
  app.slashing.signing_infos = staked.signingInfos
  // The other pools never sign: the window must outlast the run, or all would be jailed.
  app.slashing.params.signed_blocks_window = '1000000'
  app.slashing.params.downtime_jail_duration = '1s'
  Object.assign(app.gov.params, {
    min_deposit: [coin(100_000_000n)],
    expedited_min_deposit: [coin(500_000_000n)],
    max_deposit_period: `${periods.depositSeconds}s`,
    voting_period: `${periods.votingSeconds}s`,
    expedited_voting_period: `${periods.expeditedSeconds}s`,
  })
  spec.editGenesis(app)
  return JSON.stringify(genesis)
}
