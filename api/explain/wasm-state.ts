// Shared parts of CosmWasm explainers: codes, contracts, contract messages and permissions.
import { isJsonObject, type JsonObject } from '../../ingest/contract/json.ts'
import { quoted } from './cut.ts'
import { codeDetail, type Detail, jsonDetail, textDetail } from './details.ts'
import type { ExplainContext } from './explainer.ts'
import { getList, getMember, getText, parseJson } from './members.ts'
import { missingReason } from './observations.ts'

const CODE_INFO = '/cosmwasm.wasm.v1.Query/CodeInfo'
const CONTRACT_INFO = '/cosmwasm.wasm.v1.Query/ContractInfo'

/** The types of a module with this prefix. */
export const createWasmTypes = (...names: readonly string[]): string[] =>
  names.map((name) => `/cosmwasm.wasm.v1.${name}`)

/** The code ID and its checksum in the state. */
export const codeDetails = (
  label: string,
  codeId: string,
  { findObservation }: ExplainContext,
): Detail[] => {
  const found = findObservation(CODE_INFO, { code_id: codeId })
  const checksum = getText(found?.response, 'checksum')
  const checksumLabel = `Checksum of code ${codeId}`
  return [
    codeDetail(label, codeId),
    checksum === undefined
      ? textDetail(checksumLabel, `Not known: ${missingReason(found)}`)
      : codeDetail(checksumLabel, checksum),
  ]
}

/** The state of the contract that the message names. */
export const contractInfo = (message: JsonObject, { findObservation }: ExplainContext): unknown => {
  const request = { address: getText(message, 'contract') }
  return getMember(findObservation(CONTRACT_INFO, request)?.response, 'contract_info')
}

/** `the contract “Treasury”`, or `a contract` if its label is not known. */
export const contractName = (message: JsonObject, at: ExplainContext): string => {
  const label = getText(contractInfo(message, at), 'label')
  return label === undefined ? 'a contract' : `the contract ${quoted(label)}`
}

/** The JSON message for the contract. Some nodes encode it in base64. */
const contractMessage = (message: JsonObject): unknown => {
  const value = getMember(message, 'msg')
  if (typeof value !== 'string') return value
  return parseJson(Buffer.from(value, 'base64').toString('utf8')) ?? value
}

/** ` “transfer” of` with the method name: by convention, the only member of the JSON. */
export const methodText = (message: JsonObject): string => {
  const call = contractMessage(message)
  const [name, ...others] = isJsonObject(call) ? Object.keys(call) : []
  return name === undefined || others.length > 0 ? '' : ` ${quoted(name)} of`
}

const callDetails =
  (label: string) =>
  (message: JsonObject): Detail | undefined => {
    const call = contractMessage(message)
    return call === undefined || call === null ? undefined : jsonDetail(label, call)
  }

export const contractCall = callDetails('Message to the contract')
export const callToNewCode = callDetails('Message to the new code')

const PERMISSIONS: ReadonlyMap<string, string> = new Map([
  ['ACCESS_TYPE_NOBODY', 'No account'],
  ['ACCESS_TYPE_EVERYBODY', 'Everyone'],
  ['ACCESS_TYPE_ONLY_ADDRESS', 'One address'],
  ['ACCESS_TYPE_ANY_OF_ADDRESSES', 'The listed addresses'],
])

const LABEL = 'Instantiate permission'

const permissionDetails =
  (name: string) =>
  (message: JsonObject): Detail[] => {
    const config = getMember(message, name)
    const permission = getText(config, 'permission')
    if (permission === undefined) return [textDetail(LABEL, 'Default of the chain')]
    const addresses = [getText(config, 'address'), ...getList(config, 'addresses')]
    return [
      textDetail(LABEL, PERMISSIONS.get(permission) ?? permission),
      ...addresses
        .filter((each) => typeof each === 'string')
        .map((address) => codeDetail('Address', address)),
    ]
  }

export const instantiatePermission = permissionDetails('instantiate_permission')
export const newInstantiatePermission = permissionDetails('new_instantiate_permission')
