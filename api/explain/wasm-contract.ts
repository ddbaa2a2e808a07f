// Explains messages about CosmWasm contracts: instantiate, migrate, call, and change of the admin.
import { quoted } from './cut.ts'
import {
  addressDetail,
  amountDetail,
  type Detail,
  detailsOf,
  optional,
  textDetail,
} from './details.ts'
import type { ExplainContext, Explainer } from './explainer.ts'
import { coinsOf, type JsonObject, memberOf, textOf, wholeOf } from './members.ts'
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

const fundsDetails = (message: JsonObject, { unitOf }: ExplainContext): Detail[] =>
  coinsOf(message, 'funds').map((coin) => amountDetail('Funds', coin, unitOf))

const withFunds = (message: JsonObject, { unitOf }: ExplainContext): string => {
  const funds = coinsOf(message, 'funds')
  return funds.length === 0 ? '' : ` with ${coinsText(funds, unitOf)}`
}

/** Legacy proposals name the account that acts `run_as`. */
const senderDetail = (message: JsonObject): Detail | undefined =>
  optional(addressDetail, 'Sender', textOf(message, 'sender') ?? textOf(message, 'run_as'))

const contractDetails = (contract: string, at: ExplainContext): Detail[] =>
  detailsOf(
    addressDetail('Contract', contract),
    optional(textDetail, 'Label of the contract', textOf(contractInfo(contract, at), 'label')),
  )

const adminDetail = (message: JsonObject): Detail => {
  const admin = textOf(message, 'admin')
  return admin === undefined
    ? textDetail('Admin', 'None: no account can migrate the contract')
    : addressDetail('Admin', admin)
}

/** `MsgInstantiateContract`, `MsgInstantiateContract2` and the legacy proposals. */
export const explainInstantiate: Explainer = (message, at) => {
  const codeId = wholeOf(message, 'code_id')
  if (codeId === undefined) return undefined
  const label = textOf(message, 'label')
  const name = label === undefined ? '' : ` ${quoted(label)}`
  return {
    title: 'New contract',
    summary: `Creates a contract${name} of the CosmWasm code ${codeId}${withFunds(message, at)}.`,
    details: detailsOf(
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
  const label = textOf(message, 'label')
  if (label === undefined) return undefined
  const code = omittedBytes(memberOf(message, 'wasm_byte_code'))
  return {
    title: 'Contract code upload and new contract',
    summary: `Stores a CosmWasm code and creates the contract ${quoted(label)} of it${withFunds(message, at)}.`,
    details: detailsOf(
      code && textDetail('Size of the upload', sizeText(code.size)),
      optionalCode('SHA-256 of the upload', code?.sha256),
      optionalCode('Checksum that it must have', textOf(message, 'code_hash')),
      adminDetail(message),
      fundsDetails(message, at),
      callDetail('Message to the contract', contractMessage(message)),
      permissionDetails(memberOf(message, 'instantiate_permission')),
    ),
  }
}

export const explainMigrate: Explainer = (message, at) => {
  const [contract, codeId] = [textOf(message, 'contract'), wholeOf(message, 'code_id')]
  if (contract === undefined || codeId === undefined) return undefined
  const before = wholeOf(contractInfo(contract, at), 'code_id')
  const from = before === undefined ? '' : ` from code ${before}`
  return {
    title: 'Contract migration',
    summary: `Migrates ${contractName(contract, at)}${from} to the CosmWasm code ${codeId}.`,
    details: detailsOf(
      contractDetails(contract, at),
      optionalCode('Code at the submission', before),
      codeDetails('New code', codeId, at),
      callDetail('Message to the new code', contractMessage(message)),
    ),
  }
}

const callOf = (call: unknown): string => {
  const method = methodName(call)
  return method === undefined ? '' : ` ${quoted(method)} of`
}

export const explainExecute: Explainer = (message, at) => {
  const contract = textOf(message, 'contract')
  if (contract === undefined) return undefined
  const call = contractMessage(message)
  return {
    title: 'Contract call',
    summary: `Calls${callOf(call)} ${contractName(contract, at)}${withFunds(message, at)}.`,
    details: detailsOf(
      contractDetails(contract, at),
      senderDetail(message),
      fundsDetails(message, at),
      callDetail('Message to the contract', call),
    ),
  }
}

/** A contract accepts this call only from the chain itself. */
export const explainSudo: Explainer = (message, at) => {
  const contract = textOf(message, 'contract')
  if (contract === undefined) return undefined
  const call = contractMessage(message)
  return {
    title: 'Privileged contract call',
    summary: `Calls${callOf(call)} ${contractName(contract, at)} with the rights of the chain (sudo).`,
    details: detailsOf(contractDetails(contract, at), callDetail('Message to the contract', call)),
  }
}

const currentAdmin = (contract: string, at: ExplainContext): Detail | undefined =>
  optional(addressDetail, 'Admin at the submission', textOf(contractInfo(contract, at), 'admin'))

export const explainUpdateAdmin: Explainer = (message, at) => {
  const [contract, admin] = [textOf(message, 'contract'), textOf(message, 'new_admin')]
  if (contract === undefined || admin === undefined) return undefined
  return {
    title: 'New admin of a contract',
    summary: `Gives ${contractName(contract, at)} another admin, which can migrate it.`,
    details: detailsOf(
      contractDetails(contract, at),
      currentAdmin(contract, at),
      addressDetail('New admin', admin),
    ),
  }
}

export const explainClearAdmin: Explainer = (message, at) => {
  const contract = textOf(message, 'contract')
  if (contract === undefined) return undefined
  return {
    title: 'Removal of the admin of a contract',
    summary: `Removes the admin of ${contractName(contract, at)}. Only governance can migrate it after that.`,
    details: detailsOf(contractDetails(contract, at), currentAdmin(contract, at)),
  }
}
