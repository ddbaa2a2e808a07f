// Shared parts of CosmWasm explainers: codes, contracts, contract messages and permissions.
import { quoted } from './cut.ts'
import {
  codeDetail,
  collectDetails,
  type Detail,
  jsonDetail,
  optional,
  textDetail,
} from './details.ts'
import type { ExplainContext } from './explainer.ts'
import { getInteger, getList, getMember, getText, type JsonObject } from './members.ts'
import { missingReason } from './observations.ts'

const CODE_INFO = '/cosmwasm.wasm.v1.Query/CodeInfo'
const CONTRACT_INFO = '/cosmwasm.wasm.v1.Query/ContractInfo'

/** The code ID and its checksum in the state. */
export const codeDetails = (
  label: string,
  codeId: string,
  { findObservation }: ExplainContext,
): Detail[] => {
  const found = findObservation(CODE_INFO, { code_id: codeId })
  const checksum = getText(found?.response, 'checksum')
  const reason = `Not known: ${missingReason(found)}`
  return collectDetails(
    codeDetail(label, codeId),
    checksum === undefined
      ? textDetail(`Checksum of code ${codeId}`, reason)
      : codeDetail(`Checksum of code ${codeId}`, checksum),
  )
}

export const contractInfo = (address: string, { findObservation }: ExplainContext): unknown =>
  getMember(findObservation(CONTRACT_INFO, { address })?.response, 'contract_info')

/** `the contract “Treasury”`, or `a contract` if its label is not known. */
export const contractName = (address: string, at: ExplainContext): string => {
  const label = getText(contractInfo(address, at), 'label')
  return label === undefined ? 'a contract' : `the contract ${quoted(label)}`
}

const decoded = (base64: string): unknown => {
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}

/** The JSON message for a contract. Some nodes encode it in base64. */
export const contractMessage = (message: JsonObject, name = 'msg'): unknown => {
  const value = getMember(message, name)
  return typeof value === 'string' ? (decoded(value) ?? value) : value
}

/** The method name: by convention, the only member of the JSON. */
export const methodName = (call: unknown): string | undefined => {
  if (typeof call !== 'object' || call === null || Array.isArray(call)) return undefined
  const [name, ...others] = Object.keys(call)
  return others.length === 0 ? name : undefined
}

export const callDetail = (label: string, call: unknown): Detail | undefined =>
  call === undefined || call === null ? undefined : jsonDetail(label, call)

const PERMISSIONS: ReadonlyMap<string, string> = new Map([
  ['ACCESS_TYPE_NOBODY', 'No account'],
  ['ACCESS_TYPE_EVERYBODY', 'Everyone'],
  ['ACCESS_TYPE_ONLY_ADDRESS', 'One address'],
  ['ACCESS_TYPE_ANY_OF_ADDRESSES', 'The listed addresses'],
])

const LABEL = 'Instantiate permission'

export const permissionDetails = (config: unknown): Detail[] => {
  const permission = getText(config, 'permission')
  if (permission === undefined) return [textDetail(LABEL, 'Default of the chain')]
  const addresses = [getText(config, 'address'), ...getList(config, 'addresses')]
  const listed = addresses.filter((each) => typeof each === 'string')
  return collectDetails(
    textDetail(LABEL, PERMISSIONS.get(permission) ?? permission),
    listed.map((address) => codeDetail('Address', address)),
  )
}

export const codeIds = (message: JsonObject): readonly string[] =>
  getList(message, 'code_ids').flatMap((id) => getInteger({ id }, 'id') ?? [])

export const optionalCode = (label: string, text: string | undefined): Detail | undefined =>
  optional(codeDetail, label, text)
