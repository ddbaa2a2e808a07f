// Selects the queries that explain the messages of a proposal by the state that they refer to. Pure.
import type { Coin, Message } from '../contract/facts.ts'
import { isJsonObject, type JsonObject } from '../contract/json.ts'
import type { ChainSchema } from '../schema/chain-schema.ts'
import type { ModuleQuery } from '../schema/module-query.ts'

/** Limit for one proposal. */
const MAX_QUERIES = 64
/** Limit of objects that are visited in the messages of one proposal. */
const MAX_VISITED = 20_000

const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const one = (query: string, request: Record<string, string>): ModuleQuery[] =>
  Object.values(request).every((value) => value !== '') ? [{ query, request }] : []

const CLIENT_STATUS = '/ibc.core.client.v1.Query/ClientStatus'
const CONTRACT_INFO = '/cosmwasm.wasm.v1.Query/ContractInfo'
const CODE_INFO = '/cosmwasm.wasm.v1.Query/CodeInfo'

const distributionPool = (): ModuleQuery[] => [
  { query: '/cosmos.distribution.v1beta1.Query/CommunityPool', request: {} },
]
const protocolPool = (): ModuleQuery[] => [
  { query: '/cosmos.protocolpool.v1.Query/CommunityPool', request: {} },
]
const contract = ({ contract: address }: JsonObject): ModuleQuery[] =>
  one(CONTRACT_INFO, { address: toText(address) })
const code = ({ code_id: id }: JsonObject): ModuleQuery[] => one(CODE_INFO, { code_id: toText(id) })
const codes = ({ code_ids: ids }: JsonObject): ModuleQuery[] =>
  toList(ids).flatMap((id) => one(CODE_INFO, { code_id: toText(id) }))
const clients = ({ subject_client_id: subject, substitute_client_id: other }: JsonObject) =>
  [subject, other].flatMap((id) => one(CLIENT_STATUS, { client_id: toText(id) }))
const balances = ({ from_address: address, amount }: JsonObject): ModuleQuery[] =>
  toList(amount)
    .filter(isJsonObject)
    .flatMap(({ denom }) =>
      one('/cosmos.bank.v1beta1.Query/Balance', {
        address: toText(address),
        denom: toText(denom),
      }),
    )
const legacyParameters = ({ changes }: JsonObject): ModuleQuery[] =>
  toList(changes)
    .filter(isJsonObject)
    .flatMap(({ subspace, key }) =>
      one('/cosmos.params.v1beta1.Query/Params', { subspace: toText(subspace), key: toText(key) }),
    )

const BY_TYPE: Readonly<Record<string, (message: JsonObject) => ModuleQuery[]>> = {
  '/cosmos.params.v1beta1.ParameterChangeProposal': legacyParameters,
  '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend': distributionPool,
  '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal': distributionPool,
  '/cosmos.protocolpool.v1.MsgCommunityPoolSpend': protocolPool,
  '/cosmos.protocolpool.v1.MsgCreateContinuousFund': protocolPool,
  '/cosmos.bank.v1beta1.MsgSend': balances,
  '/ibc.core.client.v1.MsgRecoverClient': clients,
  '/ibc.core.client.v1.ClientUpdateProposal': clients,
  '/cosmwasm.wasm.v1.MsgMigrateContract': (message) => [...contract(message), ...code(message)],
  '/cosmwasm.wasm.v1.MsgExecuteContract': contract,
  '/cosmwasm.wasm.v1.MsgSudoContract': contract,
  '/cosmwasm.wasm.v1.MsgUpdateAdmin': contract,
  '/cosmwasm.wasm.v1.MsgClearAdmin': contract,
  '/cosmwasm.wasm.v1.MsgInstantiateContract': code,
  '/cosmwasm.wasm.v1.MsgInstantiateContract2': code,
  '/cosmwasm.wasm.v1.MsgPinCodes': codes,
  '/cosmwasm.wasm.v1.MsgUnpinCodes': codes,
}

const UPDATE_PARAMS = /^\/(.+)\.MsgUpdateParams$/

/** The query of the module whose response has `params`: `Query/Params` nearly everywhere. */
const findParamsQueries = (schema: ChainSchema, typeUrl: string): ModuleQuery[] => {
  const [, packageName] = UPDATE_PARAMS.exec(typeUrl) ?? []
  if (packageName === undefined) return []
  const methods = schema
    .queriesOf(packageName)
    .filter(({ output }) => output.fields.some(({ name, message }) => name === 'params' && message))
  const method =
    methods.find(({ name }) => name === 'Params') ??
    methods.find(({ input }) => input.fields.length === 0)
  return [{ query: `/${packageName}.Query/${method?.name ?? 'Params'}`, request: {} }]
}

const isCoin = ({ denom, amount }: JsonObject): boolean =>
  typeof denom === 'string' && denom !== '' && typeof amount === 'string'

/** Every nested object, the messages included. */
const visited = (messages: readonly Message[]): JsonObject[] => {
  const found: JsonObject[] = []
  const waiting: unknown[] = [...messages]
  for (let at = 0; at < waiting.length && at < MAX_VISITED; at += 1) {
    const value = waiting[at]
    if (typeof value !== 'object' || value === null) continue
    if (isJsonObject(value)) found.push(value)
    for (const each of Object.values(value)) {
      if (typeof each === 'object' && each !== null) waiting.push(each)
    }
  }
  return found
}

/** Limit for one request: a longer value is not a valid address or denom. */
const MAX_REQUEST_LENGTH = 1_024

const distinct = (queries: readonly ModuleQuery[]): ModuleQuery[] => {
  const byKey = new Map(queries.map((each) => [JSON.stringify(each), each]))
  return [...byKey]
    .filter(([key]) => key.length <= MAX_REQUEST_LENGTH)
    .map(([, query]) => query)
    .slice(0, MAX_QUERIES)
}

const createMetadataQuery = (denom: string): ModuleQuery => ({
  query: '/cosmos.bank.v1beta1.Query/DenomMetadata',
  request: { denom },
})

/** In the order of the messages; then the units of all amounts and of the deposit. */
export const contextQueries = (
  schema: ChainSchema,
  messages: readonly Message[],
  deposit: readonly Coin[],
): ModuleQuery[] => {
  const all = visited(messages)
  const found = all.flatMap((members) => {
    const type = toText(members['@type'])
    const explaining = Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type]?.(members) : undefined
    return [...findParamsQueries(schema, type), ...(explaining ?? [])]
  })
  const denoms = [...all.filter(isCoin), ...deposit].map(({ denom }) => toText(denom))
  return distinct([...found, ...denoms.map(createMetadataQuery)])
}

const UPGRADES = new Set([
  '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
  '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
])

/** Whether an estimate of the block time helps to understand the messages. */
export const namesHeight = (messages: readonly Message[]): boolean =>
  visited(messages).some((members) => UPGRADES.has(toText(members['@type'])))
