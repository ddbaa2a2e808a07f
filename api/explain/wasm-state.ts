// What explainers of CosmWasm messages share: codes and contracts as the state has them, messages for contracts, permissions.
import { quoted } from './cut.ts'
import { codeDetail, type Detail, detailsOf, jsonDetail, optional, textDetail } from './details.ts'
import type { ExplainContext } from './explainer.ts'
import { type JsonObject, listOf, memberOf, textOf, wholeOf } from './members.ts'
import { missingReason } from './observations.ts'

const CODE_INFO = '/cosmwasm.wasm.v1.Query/CodeInfo'
const CONTRACT_INFO = '/cosmwasm.wasm.v1.Query/ContractInfo'

/** The code with the checksum that the state has for it. */
export const codeDetails = (
  label: string,
  codeId: string,
  { observe }: ExplainContext,
): Detail[] => {
  const found = observe(CODE_INFO, { code_id: codeId })
  const checksum = textOf(found?.response, 'checksum')
  const reason = `Not known: ${missingReason(found)}`
  return detailsOf(
    codeDetail(label, codeId),
    checksum === undefined
      ? textDetail(`Checksum of code ${codeId}`, reason)
      : codeDetail(`Checksum of code ${codeId}`, checksum),
  )
}

export const contractInfo = (address: string, { observe }: ExplainContext): unknown =>
  memberOf(observe(CONTRACT_INFO, { address })?.response, 'contract_info')

/** `the contract “Treasury”`, as its creator named it, or `a contract` where its name is not known. */
export const contractName = (address: string, at: ExplainContext): string => {
  const label = textOf(contractInfo(address, at), 'label')
  return label === undefined ? 'a contract' : `the contract ${quoted(label)}`
}

const decoded = (base64: string): unknown => {
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}

/** The JSON for a contract. Some nodes write it in base64. */
export const contractMessage = (message: JsonObject, name = 'msg'): unknown => {
  const value = memberOf(message, name)
  return typeof value === 'string' ? (decoded(value) ?? value) : value
}

/** The name of the contract's method: the only member of the JSON, as is the convention. */
export const methodName = (call: unknown): string | undefined => {
  if (typeof call !== 'object' || call === null || Array.isArray(call)) return undefined
  const [name, ...others] = Object.keys(call)
  return others.length === 0 ? name : undefined
}

export const callDetail = (label: string, call: unknown): Detail | undefined =>
  call === undefined || call === null ? undefined : jsonDetail(label, call)

const PERMISSIONS: ReadonlyMap<string, string> = new Map([
  ['ACCESS_TYPE_NOBODY', 'No one'],
  ['ACCESS_TYPE_EVERYBODY', 'Everyone'],
  ['ACCESS_TYPE_ONLY_ADDRESS', 'One address'],
  ['ACCESS_TYPE_ANY_OF_ADDRESSES', 'The listed addresses'],
])

const LABEL = 'Who can instantiate it'

export const permissionDetails = (config: unknown): Detail[] => {
  const permission = textOf(config, 'permission')
  if (permission === undefined) return [textDetail(LABEL, 'As the parameters of the chain say')]
  const addresses = [textOf(config, 'address'), ...listOf(config, 'addresses')]
  const listed = addresses.filter((each) => typeof each === 'string')
  return detailsOf(
    textDetail(LABEL, PERMISSIONS.get(permission) ?? permission),
    listed.map((address) => codeDetail('Address', address)),
  )
}

export const codeIds = (message: JsonObject): readonly string[] =>
  listOf(message, 'code_ids').flatMap((id) => wholeOf({ id }, 'id') ?? [])

export const optionalCode = (label: string, text: string | undefined): Detail | undefined =>
  optional(codeDetail, label, text)
