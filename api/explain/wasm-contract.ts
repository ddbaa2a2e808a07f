// Explains messages about CosmWasm contracts: instantiation, migration, calls and admin changes.
import { quoted } from './cut.ts'
import {
  addressDetail,
  amountDetail,
  collectDetails,
  type Detail,
  optional,
  textDetail,
} from './details.ts'
import type { ExplainContext, Explainer } from './explainer.ts'
import { getCoins, getInteger, getMember, getText, type JsonObject } from './members.ts'
import { coinsText } from './units.ts'
import { omittedBytes, sizeText } from './values.ts'
import {
  callDetail,
  codeDetails,
  contractInfo,
  contractMessage,
  contractName,
  methodName,
  optionalCode,
  permissionDetails,
} from './wasm-state.ts'

const fundsDetails = (message: JsonObject, { findUnit }: ExplainContext): Detail[] =>
  getCoins(message, 'funds').map((coin) => amountDetail('Funds', coin, findUnit))

const withFunds = (message: JsonObject, { findUnit }: ExplainContext): string => {
  const funds = getCoins(message, 'funds')
  return funds.length === 0 ? '' : ` with ${coinsText(funds, findUnit)}`
}

/** Legacy proposals name the sender `run_as`. */
const senderDetail = (message: JsonObject): Detail | undefined =>
  optional(addressDetail, 'Sender', getText(message, 'sender') ?? getText(message, 'run_as'))

const contractDetails = (contract: string, at: ExplainContext): Detail[] =>
  collectDetails(
    addressDetail('Contract', contract),
    optional(textDetail, 'Label of the contract', getText(contractInfo(contract, at), 'label')),
  )

const adminDetail = (message: JsonObject): Detail => {
  const admin = getText(message, 'admin')
  return admin === undefined
    ? textDetail('Admin', 'None: no account can migrate the contract')
    : addressDetail('Admin', admin)
}

/** `MsgInstantiateContract`, `MsgInstantiateContract2` and the legacy proposals. */
export const explainInstantiate: Explainer = (message, at) => {
  const codeId = getInteger(message, 'code_id')
  if (codeId === undefined) return undefined
  const label = getText(message, 'label')
  const name = label === undefined ? '' : ` ${quoted(label)}`
  return {
    title: 'New contract',
    summary: `Creates a contract${name} from the CosmWasm code ${codeId}${withFunds(message, at)}.`,
    details: collectDetails(
      codeDetails('Code', codeId, at),
      optional(textDetail, 'Label', label),
      adminDetail(message),
      senderDetail(message),
      fundsDetails(message, at),
      callDetail('Message to the contract', contractMessage(message)),
    ),
  }
}

/** `MsgStoreAndInstantiateContract` and its legacy proposal. */
export const explainStoreAndInstantiate: Explainer = (message, at) => {
  const label = getText(message, 'label')
  if (label === undefined) return undefined
  const code = omittedBytes(getMember(message, 'wasm_byte_code'))
  return {
    title: 'Contract code upload and new contract',
    summary: `Stores a CosmWasm code and creates the contract ${quoted(label)} from it${withFunds(message, at)}.`,
    details: collectDetails(
      code && textDetail('Size of the upload', sizeText(code.size)),
      optionalCode('SHA-256 of the upload', code?.sha256),
      optionalCode('Required checksum', getText(message, 'code_hash')),
      adminDetail(message),
      fundsDetails(message, at),
      callDetail('Message to the contract', contractMessage(message)),
      permissionDetails(getMember(message, 'instantiate_permission')),
    ),
  }
}

export const explainMigrate: Explainer = (message, at) => {
  const [contract, codeId] = [getText(message, 'contract'), getInteger(message, 'code_id')]
  if (contract === undefined || codeId === undefined) return undefined
  const before = getInteger(contractInfo(contract, at), 'code_id')
  const from = before === undefined ? '' : ` from code ${before}`
  return {
    title: 'Contract migration',
    summary: `Migrates ${contractName(contract, at)}${from} to the CosmWasm code ${codeId}.`,
    details: collectDetails(
      contractDetails(contract, at),
      optionalCode('Code at submission', before),
      codeDetails('New code', codeId, at),
      callDetail('Message to the new code', contractMessage(message)),
    ),
  }
}

const callText = (call: unknown): string => {
  const method = methodName(call)
  return method === undefined ? '' : ` ${quoted(method)} of`
}

export const explainExecute: Explainer = (message, at) => {
  const contract = getText(message, 'contract')
  if (contract === undefined) return undefined
  const call = contractMessage(message)
  return {
    title: 'Contract call',
    summary: `Calls${callText(call)} ${contractName(contract, at)}${withFunds(message, at)}.`,
    details: collectDetails(
      contractDetails(contract, at),
      senderDetail(message),
      fundsDetails(message, at),
      callDetail('Message to the contract', call),
    ),
  }
}

/** A contract accepts this call only from the chain itself. */
export const explainSudo: Explainer = (message, at) => {
  const contract = getText(message, 'contract')
  if (contract === undefined) return undefined
  const call = contractMessage(message)
  return {
    title: 'Privileged contract call',
    summary: `Calls${callText(call)} ${contractName(contract, at)} with the rights of the chain (sudo).`,
    details: collectDetails(
      contractDetails(contract, at),
      callDetail('Message to the contract', call),
    ),
  }
}

const currentAdmin = (contract: string, at: ExplainContext): Detail | undefined =>
  optional(addressDetail, 'Admin at submission', getText(contractInfo(contract, at), 'admin'))

export const explainUpdateAdmin: Explainer = (message, at) => {
  const [contract, admin] = [getText(message, 'contract'), getText(message, 'new_admin')]
  if (contract === undefined || admin === undefined) return undefined
  return {
    title: 'Contract admin change',
    summary: `Changes the admin of ${contractName(contract, at)}. The admin can migrate it.`,
    details: collectDetails(
      contractDetails(contract, at),
      currentAdmin(contract, at),
      addressDetail('New admin', admin),
    ),
  }
}

export const explainClearAdmin: Explainer = (message, at) => {
  const contract = getText(message, 'contract')
  if (contract === undefined) return undefined
  return {
    title: 'Contract admin removal',
    summary: `Removes the admin of ${contractName(contract, at)}. Only governance can migrate it after that.`,
    details: collectDetails(contractDetails(contract, at), currentAdmin(contract, at)),
  }
}
