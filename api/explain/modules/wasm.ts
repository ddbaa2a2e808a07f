// Explains messages of CosmWasm: codes and their permissions, and contracts from their creation to their last admin.
import { hash } from 'node:crypto'
import { isJsonObject } from '../../../ingest/contract/json.ts'
import { codeDetail, type Detail, jsonDetail, textDetail } from '../details.ts'
import { defineExplainer, type ExplainContext, type Part, type ToDetails } from '../explainer.ts'
import { getInteger, getList, getMember, getText, parseJson } from '../members.ts'
import { notKnown } from '../observations.ts'
import {
  address,
  amounts,
  code,
  coins,
  either,
  integer,
  name,
  optional,
  sentence,
  text,
} from '../template.ts'
import { omittedBytes, sizeText } from '../values.ts'

const CODE_INFO = '/cosmwasm.wasm.v1.Query/CodeInfo'
const CONTRACT_INFO = '/cosmwasm.wasm.v1.Query/ContractInfo'

const typesNamed = (...names: readonly string[]): string[] =>
  names.map((name) => `/cosmwasm.wasm.v1.${name}`)

/** The bytes, which can be compressed; ingest leaves long ones out. */
const readUpload = (message: unknown): { sha256: string; size: string } | undefined => {
  const bytes = getMember(message, 'wasm_byte_code')
  if (typeof bytes !== 'string') return omittedBytes(bytes)
  const content = Buffer.from(bytes, 'base64')
  return { sha256: hash('sha256', content, 'hex'), size: `${content.length}` }
}

const uploadSize: Part = (message) => {
  const upload = readUpload(message)
  return upload && sizeText(upload.size)
}

const uploadDetails = (upload: ReturnType<typeof readUpload>): Detail[] =>
  upload
    ? [
        textDetail('Size of the upload', sizeText(upload.size)),
        codeDetail('SHA-256 of the upload', upload.sha256),
      ]
    : []

const requiredChecksum = code('Required checksum', 'code_hash')

const UPLOAD: readonly ToDetails[] = [
  (message) => uploadDetails(readUpload(message)),
  requiredChecksum,
  code('Source', 'source'),
  code('Builder', 'builder'),
]

const codeDetails = (label: string, id: string, { findObservation }: ExplainContext): Detail[] => {
  const found = findObservation(CODE_INFO, { code_id: id })
  const checksum = getText(found?.response, 'checksum')
  const checksumLabel = `Checksum of code ${id}`
  return [
    codeDetail(label, id),
    checksum === undefined
      ? textDetail(checksumLabel, notKnown(found))
      : codeDetail(checksumLabel, checksum),
  ]
}

/** The code ID, and its checksum in the state. */
const codeWithChecksum =
  (label: string): ToDetails =>
  (message, at) => {
    const id = getInteger(message, 'code_id')
    return id === undefined ? undefined : codeDetails(label, id, at)
  }

const getCodeIds = (message: unknown): readonly string[] =>
  getList(message, 'code_ids').flatMap((id) => getInteger({ id }, 'id') ?? [])

const namedCodes: Part = (message) => {
  const [first, ...others] = getCodeIds(message)
  if (first === undefined) return undefined
  return others.length === 0 ? `the CosmWasm code ${first}` : `${others.length + 1} CosmWasm codes`
}

const codesWithChecksums: ToDetails = (message, at) =>
  getCodeIds(message).flatMap((id) => codeDetails('Code', id, at))

/** A member of the state of the contract that the message names. */
const contractState =
  (read: typeof getText, member: string): Part =>
  (message, { findObservation }) => {
    const found = findObservation(CONTRACT_INFO, { address: getText(message, 'contract') })
    return read(getMember(found?.response, 'contract_info'), member)
  }

const stateLabel = contractState(getText, 'label')
const stateCode = contractState(getInteger, 'code_id')

const contract = either(sentence`the contract ${name(stateLabel)}`, 'a contract')
const newContract = either(sentence`a contract ${name('label')}`, 'a contract')
const fromCode = optional` from code ${stateCode}`
const withFunds = optional` with ${coins('funds')}`

/** The JSON message for the contract. Some nodes encode it in base64. */
const getCall = (message: unknown): unknown => {
  const value = getMember(message, 'msg')
  if (typeof value !== 'string') return value
  return parseJson(Buffer.from(value, 'base64').toString('utf8')) ?? value
}

/** By convention, the only member of the JSON. */
const methodName: Part = (message) => {
  const call = getCall(message)
  const [first, ...others] = isJsonObject(call) ? Object.keys(call) : []
  return others.length > 0 ? undefined : first
}

const method = optional` ${name(methodName)} of`

const callTo =
  (receiver: string): ToDetails =>
  (message) => {
    const call = getCall(message)
    return call === undefined || call === null
      ? undefined
      : jsonDetail(`Message to the ${receiver}`, call)
  }

const PERMISSIONS: ReadonlyMap<string, string> = new Map([
  ['ACCESS_TYPE_NOBODY', 'No account'],
  ['ACCESS_TYPE_EVERYBODY', 'Everyone'],
  ['ACCESS_TYPE_ONLY_ADDRESS', 'One address'],
  ['ACCESS_TYPE_ANY_OF_ADDRESSES', 'The listed addresses'],
])

const permission =
  (member: string): ToDetails =>
  (message) => {
    const config = getMember(message, member)
    const type = getText(config, 'permission')
    const title = 'Instantiate permission'
    if (type === undefined) return textDetail(title, 'Default of the chain')
    const addresses = [getText(config, 'address'), ...getList(config, 'addresses')]
    return [
      textDetail(title, PERMISSIONS.get(type) ?? type),
      ...addresses.flatMap((each) => (typeof each === 'string' ? codeDetail('Address', each) : [])),
    ]
  }

const instantiatePermission = permission('instantiate_permission')

const admin: ToDetails = (message, at) =>
  address('Admin', 'admin')(message, at) ??
  textDetail('Admin', 'None: no account can migrate the contract')

/** Legacy proposals name the sender `run_as`. */
const sender = address(
  'Sender',
  (message) => getText(message, 'sender') ?? getText(message, 'run_as'),
)
const funds = amounts('Funds', 'funds')
const contractCall = callTo('contract')
const CONTRACT = [address('Contract', 'contract'), text('Label of the contract', stateLabel)]
const currentAdmin = address('Admin at submission', contractState(getText, 'admin'))

export const WASM_EXPLAINERS = [
  defineExplainer({
    types: typesNamed('MsgStoreCode', 'StoreCodeProposal'),
    title: 'Contract code upload',
    summary: sentence`Stores a CosmWasm code of ${uploadSize} on the chain. It does nothing until a contract uses it.`,
    details: [...UPLOAD, instantiatePermission],
  }),
  defineExplainer({
    types: ['/ibc.lightclients.wasm.v1.MsgStoreCode'],
    title: 'Light client upload',
    summary: sentence`Stores an IBC light client of ${uploadSize} on the chain.`,
    details: UPLOAD,
  }),
  defineExplainer({
    types: typesNamed('MsgStoreAndMigrateContract'),
    title: 'Contract code upload and migration',
    required: ['contract'],
    summary: sentence`Stores a CosmWasm code of ${uploadSize} and migrates ${contract} to it.`,
    details: [
      address('Contract', 'contract'),
      ...UPLOAD,
      callTo('new code'),
      instantiatePermission,
    ],
  }),
  defineExplainer({
    types: typesNamed('MsgPinCodes', 'PinCodesProposal'),
    title: 'Pinned contract codes',
    summary: sentence`Pins ${namedCodes} in the memory of the nodes, so that calls cost less gas.`,
    details: [codesWithChecksums],
  }),
  defineExplainer({
    types: typesNamed('MsgUnpinCodes', 'UnpinCodesProposal'),
    title: 'Unpinned contract codes',
    summary: sentence`Unpins ${namedCodes} from the memory of the nodes, so that calls cost more gas.`,
    details: [codesWithChecksums],
  }),
  defineExplainer({
    types: typesNamed('MsgUpdateInstantiateConfig'),
    title: 'Instantiate permission of a code',
    summary: sentence`Changes who can instantiate contracts of the CosmWasm code ${integer('code_id')}.`,
    details: [codeWithChecksum('Code'), permission('new_instantiate_permission')],
  }),
  defineExplainer({
    types: typesNamed(
      'MsgInstantiateContract',
      'MsgInstantiateContract2',
      'InstantiateContractProposal',
      'InstantiateContract2Proposal',
    ),
    title: 'New contract',
    summary: sentence`Creates ${newContract} from the CosmWasm code ${integer('code_id')}${withFunds}.`,
    details: [codeWithChecksum('Code'), text('Label', 'label'), admin, sender, funds, contractCall],
  }),
  defineExplainer({
    types: typesNamed('MsgStoreAndInstantiateContract', 'StoreAndInstantiateContractProposal'),
    title: 'Contract code upload and new contract',
    summary: sentence`Stores a CosmWasm code and creates the contract ${name('label')} from it${withFunds}.`,
    details: [
      (message) => uploadDetails(omittedBytes(getMember(message, 'wasm_byte_code'))),
      requiredChecksum,
      admin,
      funds,
      contractCall,
      instantiatePermission,
    ],
  }),
  defineExplainer({
    types: typesNamed('MsgMigrateContract', 'MigrateContractProposal'),
    title: 'Contract migration',
    required: ['contract'],
    summary: sentence`Migrates ${contract}${fromCode} to the CosmWasm code ${integer('code_id')}.`,
    details: [
      ...CONTRACT,
      code('Code at submission', stateCode),
      codeWithChecksum('New code'),
      callTo('new code'),
    ],
  }),
  defineExplainer({
    types: typesNamed('MsgExecuteContract', 'ExecuteContractProposal'),
    title: 'Contract call',
    required: ['contract'],
    summary: sentence`Calls${method} ${contract}${withFunds}.`,
    details: [...CONTRACT, sender, funds, contractCall],
  }),
  // A contract accepts this call only from the chain itself.
  defineExplainer({
    types: typesNamed('MsgSudoContract', 'SudoContractProposal'),
    title: 'Privileged contract call',
    required: ['contract'],
    summary: sentence`Calls${method} ${contract} with the rights of the chain (sudo).`,
    details: [...CONTRACT, contractCall],
  }),
  defineExplainer({
    types: typesNamed('MsgUpdateAdmin', 'UpdateAdminProposal'),
    title: 'Contract admin change',
    required: ['contract', 'new_admin'],
    summary: sentence`Changes the admin of ${contract}. The admin can migrate it.`,
    details: [...CONTRACT, currentAdmin, address('New admin', 'new_admin')],
  }),
  defineExplainer({
    types: typesNamed('MsgClearAdmin', 'ClearAdminProposal'),
    title: 'Contract admin removal',
    required: ['contract'],
    summary: sentence`Removes the admin of ${contract}. Only governance can migrate it after that.`,
    details: [...CONTRACT, currentAdmin],
  }),
]
