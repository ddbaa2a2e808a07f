// What the parameters of a chain mean, in one sentence each, by module and name.

const CONSENSUS = {
  max_bytes: 'The largest size of a block, in bytes.',
  max_gas: 'The most computing work that fits in a block.',
  max_age_num_blocks: 'For how many blocks a misbehaving validator can be reported.',
  max_age_duration: 'For how long a misbehaving validator can be reported.',
  pub_key_types: 'The kinds of keys that validators may use.',
}

const MEANINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gov: {
    min_deposit: 'The deposit that a proposal needs before voting starts.',
    expedited_min_deposit: 'The deposit that a proposal needs for the short, expedited vote.',
    max_deposit_period: 'How long a proposal may collect its deposit.',
    voting_period: 'How long a vote is open.',
    expedited_voting_period: 'How long an expedited vote is open.',
    quorum: 'The share of all voting power that must vote for a result to count.',
    threshold: 'A proposal passes only with a larger share of Yes, without Abstain.',
    expedited_threshold: 'An expedited proposal passes only with a larger share of Yes.',
    veto_threshold: 'A larger share of No with veto rejects the proposal.',
    min_initial_deposit_ratio: 'The share of the deposit that the proposer must pay at once.',
    proposal_cancel_ratio: 'The share of the deposit that is lost if the proposer cancels.',
    proposal_cancel_dest: 'The account that receives the lost deposit of a canceled proposal.',
    burn_vote_quorum: 'Whether the deposit is lost if the quorum is not reached.',
    burn_proposal_deposit_prevote: 'Whether the deposit is lost if voting does not start.',
    burn_vote_veto: 'Whether the deposit is lost if the proposal is vetoed.',
    min_deposit_ratio: 'The smallest single deposit, as a share of the minimum deposit.',
  },
  staking: {
    unbonding_time: 'How long stake stays locked after its owner withdraws it.',
    max_validators: 'How many validators can be active, and so can vote, at a time.',
    max_entries: 'How many withdrawals of stake an account may have open with one validator.',
    historical_entries: 'How many past blocks the chain keeps for other chains to check.',
    bond_denom: 'The token that is staked.',
    min_commission_rate: 'The lowest commission that a validator may take from its delegators.',
  },
  slashing: {
    signed_blocks_window: 'Over how many blocks the absence of a validator is counted.',
    min_signed_per_window: 'The share of these blocks that a validator must sign.',
    downtime_jail_duration: 'How long an absent validator is excluded.',
    slash_fraction_double_sign:
      'The share of the stake that is lost for signing two blocks at once.',
    slash_fraction_downtime: 'The share of the stake that is lost for absence.',
  },
  mint: {
    mint_denom: 'The token that is created.',
    inflation: 'How fast new tokens are created in a year.',
    inflation_rate_change: 'How much the inflation may change in a year.',
    inflation_max: 'The highest inflation in a year.',
    inflation_min: 'The lowest inflation in a year.',
    goal_bonded: 'The share of all tokens that should be staked: the inflation steers towards it.',
    blocks_per_year: 'How many blocks the chain expects in a year, to pay out the inflation.',
    max_supply: 'The largest number of tokens that may exist.',
  },
  distribution: {
    community_tax: 'The share of fees and new tokens that goes to the community pool.',
    base_proposer_reward: 'The share of the fees for the validator that makes the block.',
    bonus_proposer_reward: 'An extra share of the fees for a block that many validators signed.',
    withdraw_addr_enabled: 'Whether accounts may send their rewards to another account.',
  },
  consensus: CONSENSUS,
  baseapp: CONSENSUS,
  auth: {
    max_memo_characters: 'The longest note on a transaction.',
    tx_sig_limit: 'How many signatures a transaction may have.',
    tx_size_cost_per_byte: 'What each byte of a transaction costs, in computing work.',
  },
  bank: {
    send_enabled: 'Which tokens can be sent.',
    default_send_enabled: 'Whether tokens can be sent if no other rule exists for them.',
  },
  transfer: {
    send_enabled: 'Whether tokens can be sent to other chains.',
    receive_enabled: 'Whether tokens of other chains can be received.',
  },
  wasm: {
    code_upload_access: 'Who may upload the code of contracts.',
    instantiate_default_permission: 'Who may start a contract from uploaded code.',
  },
  feemarket: {
    min_base_gas_price: 'The lowest price of computing work.',
    max_block_utilization: 'The most computing work that fits in a block.',
    enabled: 'Whether the price of computing work follows the demand.',
  },
}

/** `MaxValidators` → `max_validators`. Legacy proposals have the first form. */
const toSnakeCase = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()

/** `path` has the names of the groups first. Undefined if the meaning is not known. */
export const parameterMeaning = (module: string, path: readonly string[]): string | undefined => {
  const meanings = Object.hasOwn(MEANINGS, module) ? MEANINGS[module] : undefined
  const name = toSnakeCase(path.at(-1) ?? '')
  return meanings && Object.hasOwn(meanings, name) ? meanings[name] : undefined
}
