// Explains changes of parameters: the old and the new values, and what each parameter means.
import { isJsonObject, type JsonObject } from '../../ingest/contract/json.ts'
import type { ExplanationDetail } from '../schemas/explanation.ts'
import { plainReason, pluralize } from '../words/in-words.ts'
import { listLeaves } from '../words/leaves.ts'
import { getList, getMember, getText, moduleName, parseJson } from './members.ts'
import type { ExplainContext, Explained } from './template.ts'
import { readable, textDetail } from './values.ts'

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

/** The last name of a path says what it is; those before it are groups. */
const findMeaning = (module: string, path: string): string | undefined => {
  const name = toSnakeCase(path.split('.').at(-1) ?? '')
  const meanings = Object.hasOwn(MEANINGS, module) ? MEANINGS[module] : undefined
  return meanings && Object.hasOwn(meanings, name) ? meanings[name] : undefined
}

const MAX_NAMED = 3
/** The maximum length of two values on one line. */
const MAX_SIDE = 200
const MAX_PARAMETERS = 1_000
const SEPARATOR = ' › '
const OTHER_MEMBERS = new Set(['@type', '@unknownFields', 'authority', 'signer'])

type Parameter = { name: string; value: unknown }
type Change = { name: string; from: unknown; to: unknown; meaning: string | undefined }

/** A list is one parameter. */
const flattenParameters = (params: JsonObject): Parameter[] =>
  listLeaves(params, { isLeaf: Array.isArray, max: MAX_PARAMETERS, keepsRest: true })
    .filter(({ path }) => path.length > 0)
    .map(({ path, value }) => ({ name: path.join(SEPARATOR), value }))

/** Most modules have `params`. x/consensus has groups of parameters next to the authority. */
const getParams = (message: JsonObject): JsonObject => {
  const params = getMember(message, 'params')
  if (isJsonObject(params)) return params
  return Object.fromEntries(Object.entries(message).filter(([name]) => !OTHER_MEMBERS.has(name)))
}

/** On one line, if both sides are short. */
const sideDetails = (
  { name, from, to }: Change,
  { unit }: ExplainContext,
): readonly ExplanationDetail[] => {
  const [before = '', after = ''] = [from, to].map((value) =>
    value === null || value === undefined ? '(none)' : readable(name, value, unit),
  )
  return before.length > MAX_SIDE || after.length > MAX_SIDE
    ? [textDetail(`${name}, before`, before), textDetail(`${name}, after`, after)]
    : [textDetail(name, `${before} → ${after}`)]
}

/** `quorum 33.4 % → 35 %`. */
const describeChange = (change: Change, at: ExplainContext): string => {
  const [first, ...others] = sideDetails(change, at)
  return first && others.length === 0 ? `${change.name} ${first.value.text}` : change.name
}

const summarize = (changes: readonly Change[], all: string, at: ExplainContext): string => {
  if (changes.length === 0) return `Changes none of ${all}: the values are the current ones.`
  const named = changes.slice(0, MAX_NAMED).map((change) => describeChange(change, at))
  const others = changes.length - named.length
  const list = [...named, ...(others > 0 ? [`and ${others} more`] : [])].join('; ')
  return `Changes ${changes.length} of ${all}: ${list}.`
}

const TITLE = 'Parameter change'
const LEGACY_TYPE = '/cosmos.params.v1beta1.ParameterChangeProposal'

export function isParameterChange(type: string): boolean {
  return type.endsWith('.MsgUpdateParams') || type === LEGACY_TYPE
}

/** What a message sets, where its module is named, and how the path of a change is read. */
type Reading = {
  parameters: readonly Parameter[]
  /** Follows the word "parameters". */
  suffix: string
  splitPath: (path: string) => { module: string; key: string; name: string }
}

const readUpdate = (type: string, message: JsonObject): Reading => {
  const module = moduleName(type)
  return {
    parameters: flattenParameters(getParams(message)),
    suffix: ` of the module ${module}`,
    splitPath: (path) => ({ module, key: path, name: path.replaceAll('.', SEPARATOR) }),
  }
}

/** A value is JSON in a text. The path of a change is `subspace/key`. */
const readLegacy = (message: JsonObject): Reading => ({
  parameters: getList(message, 'changes').map((change) => {
    const value = getText(change, 'value') ?? ''
    const [subspace, key] = [getText(change, 'subspace') ?? '?', getText(change, 'key') ?? '?']
    return { name: subspace + SEPARATOR + key, value: parseJson(value) ?? value }
  }),
  suffix: ' that it names',
  splitPath: (path) => {
    const [module = '', ...key] = path.split('/')
    return { module, key: key.join('/'), name: path.replace('/', SEPARATOR) }
  },
})

/** Undefined if a legacy content names none. */
export function explainParameters(
  type: string,
  message: JsonObject,
  at: ExplainContext,
): Explained | undefined {
  const isLegacy = type === LEGACY_TYPE
  const reading = isLegacy ? readLegacy(message) : readUpdate(type, message)
  const { parameters, suffix, splitPath } = reading
  if (isLegacy && parameters.length === 0) return undefined
  if (at.changes === null) {
    const reason = plainReason(at.changesReason ?? 'the parameters in force are not known')
    const set = pluralize(parameters.length, 'parameter') + (isLegacy ? '' : suffix)
    return {
      title: TITLE,
      summary: `Sets ${set}. It is not known which of them change.`,
      details: [
        textDetail('Reason for unknown changes', reason),
        ...parameters.map(({ name, value }) => textDetail(name, readable(name, value, at.unit))),
      ],
    }
  }
  const changes = at.changes.map(({ path, from, to }): Change => {
    const { module, key, name } = splitPath(path)
    return { name, from, to, meaning: findMeaning(module, key) }
  })
  const names = new Set([...parameters, ...(isLegacy ? [] : changes)].map(({ name }) => name))
  const total = isLegacy ? parameters.length : names.size
  return {
    title: TITLE,
    summary: summarize(changes, pluralize(total, 'parameter') + suffix, at),
    details: changes.flatMap((change) => [
      ...sideDetails(change, at),
      ...(change.meaning === undefined ? [] : [textDetail(change.name, change.meaning)]),
    ]),
  }
}
