// Explains messages about CosmWasm contracts: instantiation, migration, calls and admin changes.
import type { JsonObject } from '../../ingest/contract/json.ts'
import { quoted } from './cut.ts'
import {
  addressDetail,
  addressMember,
  codeDetail,
  codeMember,
  coinsMember,
  type Detail,
  optional,
  textDetail,
  textMember,
} from './details.ts'
import { defineExplainer, type ExplainContext } from './explainer.ts'
import { getCoins, getInteger, getText } from './members.ts'
import { coinsText } from './units.ts'
import { omittedBytes, sizeText } from './values.ts'
import {
  callToNewCode,
  codeDetails,
  contractCall,
  contractInfo,
  contractName,
  createWasmTypes,
  instantiatePermission,
  methodText,
} from './wasm-state.ts'

const contractAddress = addressMember('Contract', 'contract')

const contractLabel = (message: JsonObject, at: ExplainContext): Detail | undefined =>
  optional(textDetail, 'Label of the contract', getText(contractInfo(message, at), 'label'))

const funds = coinsMember('Funds', 'funds')

const withFunds = (message: JsonObject, { findUnit }: ExplainContext): string => {
  const coins = getCoins(message, 'funds')
  return coins.length === 0 ? '' : ` with ${coinsText(coins, findUnit)}`
}

/** Legacy proposals name the sender `run_as`. */
const sender = (message: JsonObject): Detail | undefined =>
  optional(addressDetail, 'Sender', getText(message, 'sender') ?? getText(message, 'run_as'))

const admin = (message: JsonObject): Detail =>
  optional(addressDetail, 'Admin', getText(message, 'admin')) ??
  textDetail('Admin', 'None: no account can migrate the contract')

const uploadedCode = ({ wasm_byte_code: bytes }: JsonObject): Detail[] => {
  const code = omittedBytes(bytes)
  if (!code) return []
  return [
    textDetail('Size of the upload', sizeText(code.size)),
    codeDetail('SHA-256 of the upload', code.sha256),
  ]
}

const currentCodeId = (message: JsonObject, at: ExplainContext): string | undefined =>
  getInteger(contractInfo(message, at), 'code_id')

const currentAdmin = (message: JsonObject, at: ExplainContext): Detail | undefined =>
  optional(addressDetail, 'Admin at submission', getText(contractInfo(message, at), 'admin'))

export const WASM_CONTRACT_EXPLAINERS = [
  defineExplainer({
    types: createWasmTypes(
      'MsgInstantiateContract',
      'MsgInstantiateContract2',
      'InstantiateContractProposal',
      'InstantiateContract2Proposal',
    ),
    title: 'New contract',
    required: { code_id: getInteger },
    summary: (message, at) => {
      const label = getText(message, 'label')
      const contract = label === undefined ? 'a contract' : `a contract ${quoted(label)}`
      return `Creates ${contract} from the CosmWasm code ${message.code_id}${withFunds(message, at)}.`
    },
    details: [
      ({ code_id: id }, at) => codeDetails('Code', id, at),
      textMember('Label', 'label'),
      admin,
      sender,
      funds,
      contractCall,
    ],
  }),
  defineExplainer({
    types: createWasmTypes('MsgStoreAndInstantiateContract', 'StoreAndInstantiateContractProposal'),
    title: 'Contract code upload and new contract',
    required: { label: getText },
    summary: (message, at) => {
      const contract = `the contract ${quoted(message.label)}`
      return `Stores a CosmWasm code and creates ${contract} from it${withFunds(message, at)}.`
    },
    details: [
      uploadedCode,
      codeMember('Required checksum', 'code_hash'),
      admin,
      funds,
      contractCall,
      instantiatePermission,
    ],
  }),
  defineExplainer({
    types: createWasmTypes('MsgMigrateContract', 'MigrateContractProposal'),
    title: 'Contract migration',
    required: { contract: getText, code_id: getInteger },
    summary: (message, at) => {
      const before = currentCodeId(message, at)
      const from = before === undefined ? '' : ` from code ${before}`
      return `Migrates ${contractName(message, at)}${from} to the CosmWasm code ${message.code_id}.`
    },
    details: [
      contractAddress,
      contractLabel,
      (message, at) => optional(codeDetail, 'Code at submission', currentCodeId(message, at)),
      ({ code_id: id }, at) => codeDetails('New code', id, at),
      callToNewCode,
    ],
  }),
  defineExplainer({
    types: createWasmTypes('MsgExecuteContract', 'ExecuteContractProposal'),
    title: 'Contract call',
    required: { contract: getText },
    summary: (message, at) =>
      `Calls${methodText(message)} ${contractName(message, at)}${withFunds(message, at)}.`,
    details: [contractAddress, contractLabel, sender, funds, contractCall],
  }),
  // A contract accepts this call only from the chain itself.
  defineExplainer({
    types: createWasmTypes('MsgSudoContract', 'SudoContractProposal'),
    title: 'Privileged contract call',
    required: { contract: getText },
    summary: (message, at) =>
      `Calls${methodText(message)} ${contractName(message, at)} with the rights of the chain (sudo).`,
    details: [contractAddress, contractLabel, contractCall],
  }),
  defineExplainer({
    types: createWasmTypes('MsgUpdateAdmin', 'UpdateAdminProposal'),
    title: 'Contract admin change',
    required: { contract: getText, new_admin: getText },
    summary: (message, at) =>
      `Changes the admin of ${contractName(message, at)}. The admin can migrate it.`,
    details: [
      contractAddress,
      contractLabel,
      currentAdmin,
      addressMember('New admin', 'new_admin'),
    ],
  }),
  defineExplainer({
    types: createWasmTypes('MsgClearAdmin', 'ClearAdminProposal'),
    title: 'Contract admin removal',
    required: { contract: getText },
    summary: (message, at) =>
      `Removes the admin of ${contractName(message, at)}. Only governance can migrate it after that.`,
    details: [contractAddress, contractLabel, currentAdmin],
  }),
]
