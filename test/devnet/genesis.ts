// Changes the chain's default genesis for the devnet: 41 bonded pools, short periods, funded accounts.
import { fromBech32, toBase64, toBech32 } from '@cosmjs/encoding'
import type { Account, ConsensusKey } from './accounts.ts'
import { ADDRESS_PREFIX, createConsensusKey, moduleAddress } from './accounts.ts'
import { BOND_DENOM, CHAIN_ID, GENESIS_POOLS } from './pools.ts'

export type Periods = { votingSeconds: number; expeditedSeconds: number; depositSeconds: number }
export const DEFAULT_PERIODS: Periods = {
  votingSeconds: 75,
  expeditedSeconds: 25,
  depositSeconds: 30,
}
/** The balance of every account of the genesis, in addition to its stake. */
const SPENDABLE = 20_000_000_000_000n
const ONE = 10n ** 18n

export type GenesisAccounts = {
  operators: readonly Account[]
  whales: readonly { account: Account; tokens: bigint }[]
  others: readonly Account[]
}

// biome-ignore lint/suspicious/noExplicitAny: the chain's own genesis file, edited in place
type Json = any

const decimal = (scaled: bigint) => `${scaled / ONE}.${String(scaled % ONE).padStart(18, '0')}`

type Staked = { validators: Json[]; delegations: Json[]; signingInfos: Json[]; bonded: bigint }

function stakePools(people: GenesisAccounts, time: string): Staked {
  const staked: Staked = { validators: [], delegations: [], signingInfos: [], bonded: 0n }
  for (const [index, pool] of GENESIS_POOLS.entries()) {
    const operator = people.operators[index]
    if (!operator) throw new Error(`pool ${pool.moniker} has no operator`)
    const delegators = [
      { address: operator.address, tokens: pool.selfTokens },
      ...(index === 0
        ? people.whales.map((w) => ({ address: w.account.address, tokens: w.tokens }))
        : []),
    ]
    const key = createConsensusKey(String(index))
    const tokens = delegators.reduce((sum, each) => sum + each.tokens, 0n)
    const toShares = (amount: bigint) => (amount * ONE * pool.sharesPerMillion) / 1_000_000n
    const shares = delegators.reduce((sum, each) => sum + toShares(each.tokens), 0n)
    staked.bonded += tokens
    staked.validators.push(
      createValidator(index, { operator, key, tokens, shares: decimal(shares), time }),
    )
    staked.signingInfos.push(createSigningInfo(key))
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
  return toBech32(`${ADDRESS_PREFIX}valoper`, fromBech32(account).data)
}

function createValidator(
  index: number,
  is: { operator: Account; key: ConsensusKey; tokens: bigint; shares: string; time: string },
): Json {
  const pool = GENESIS_POOLS[index]
  if (!pool) throw new Error(`no pool ${index}`)
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
      identity: '',
      website: '',
      security_contact: '',
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

function createSigningInfo(key: ConsensusKey): Json {
  const address = toBech32(`${ADDRESS_PREFIX}valcons`, key.address)
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

function fund(app: Json, people: GenesisAccounts, staked: Staked): void {
  const accounts = [
    ...people.operators,
    ...people.whales.map((whale) => whale.account),
    ...people.others,
  ]
  app.auth.accounts = accounts.map((account, index) => ({
    '@type': '/cosmos.auth.v1beta1.BaseAccount',
    address: account.address,
    pub_key: null,
    account_number: String(index),
    sequence: '0',
  }))
  app.bank.balances = [
    ...accounts.map(({ address }) => ({ address, coins: [coin(SPENDABLE)] })),
    { address: moduleAddress('bonded_tokens_pool'), coins: [coin(staked.bonded)] },
  ]
  app.bank.supply = [coin(BigInt(accounts.length) * SPENDABLE + staked.bonded)]
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

/** Edits what `wasmd init` wrote; answers the whole file's text. */
export function devnetGenesis(
  initial: string,
  options: { people: GenesisAccounts; periods: Periods; time: string },
): string {
  const genesis: Json = JSON.parse(initial.replaceAll('"stake"', `"${BOND_DENOM}"`))
  const app = genesis.app_state
  const { people, periods, time } = options
  const staked = stakePools(people, time)
  genesis.chain_id = CHAIN_ID
  genesis.genesis_time = time
  fund(app, people, staked)
  app.staking.validators = staked.validators
  app.staking.delegations = staked.delegations
  app.staking.params.max_validators = 60
  // Header history would double the recording; without it, chain and replay answer "not found".
  app.staking.params.historical_entries = 0
  app.slashing.signing_infos = staked.signingInfos
  // The forty other pools never sign: the window must outlast the run, or all would be jailed.
  app.slashing.params.signed_blocks_window = '1000000'
  app.slashing.params.downtime_jail_duration = '1s'
  app.gov.constitution =
    'Rollcall demo chain: every vote is counted, every count can be checked, nothing is forgotten.'
  Object.assign(app.gov.params, {
    min_deposit: [coin(100_000_000n)],
    expedited_min_deposit: [coin(500_000_000n)],
    max_deposit_period: `${periods.depositSeconds}s`,
    voting_period: `${periods.votingSeconds}s`,
    expedited_voting_period: `${periods.expeditedSeconds}s`,
  })
  return JSON.stringify(genesis)
}
