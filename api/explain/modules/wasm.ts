// Explains messages of CosmWasm: codes and their permissions, and contracts from their creation to their last admin.
import { hash } from 'node:crypto'
import { isJsonObject } from '../../../ingest/contract/json.ts'
import { codeDetail, type Detail, jsonDetail, textDetail } from '../details.ts'
import { defineExplainer, type Part, type ToDetails } from '../explainer.ts'
import { getInteger, getList, getMember, getText, parseJson } from '../members.ts'
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

const getCodeIds = (message: unknown): readonly string[] =>
  getList(message, 'code_ids').flatMap((id) => getInteger({ id }, 'id') ?? [])

const namedCodes: Part = (message) => {
  const [first, ...others] = getCodeIds(message)
  if (first === undefined) return undefined
  return others.length === 0 ? `the CosmWasm code ${first}` : `${others.length + 1} CosmWasm codes`
}

const codes: ToDetails = (message) => getCodeIds(message).map((id) => codeDetail('Code', id))

const newContract = either(sentence`a contract ${name('label')}`, 'a contract')
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
const contractAddress = address('Contract', 'contract')

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
    summary: sentence`Stores a CosmWasm code of ${uploadSize} and migrates a contract to it.`,
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
    details: [codes],
  }),
  defineExplainer({
    types: typesNamed('MsgUnpinCodes', 'UnpinCodesProposal'),
    title: 'Unpinned contract codes',
    summary: sentence`Unpins ${namedCodes} from the memory of the nodes, so that calls cost more gas.`,
    details: [codes],
  }),
  defineExplainer({
    types: typesNamed('MsgUpdateInstantiateConfig'),
    title: 'Instantiate permission of a code',
    summary: sentence`Changes who can instantiate contracts of the CosmWasm code ${integer('code_id')}.`,
    details: [code('Code', integer('code_id')), permission('new_instantiate_permission')],
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
    details: [
      code('Code', integer('code_id')),
      text('Label', 'label'),
      admin,
      sender,
      funds,
      contractCall,
    ],
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
    summary: sentence`Migrates a contract to the CosmWasm code ${integer('code_id')}.`,
    details: [contractAddress, code('New code', integer('code_id')), callTo('new code')],
  }),
  defineExplainer({
    types: typesNamed('MsgExecuteContract', 'ExecuteContractProposal'),
    title: 'Contract call',
    required: ['contract'],
    summary: sentence`Calls${method} a contract${withFunds}.`,
    details: [contractAddress, sender, funds, contractCall],
  }),
  // A contract accepts this call only from the chain itself.
  defineExplainer({
    types: typesNamed('MsgSudoContract', 'SudoContractProposal'),
    title: 'Privileged contract call',
    required: ['contract'],
    summary: sentence`Calls${method} a contract with the rights of the chain (sudo).`,
    details: [contractAddress, contractCall],
  }),
  defineExplainer({
    types: typesNamed('MsgUpdateAdmin', 'UpdateAdminProposal'),
    title: 'Contract admin change',
    required: ['contract', 'new_admin'],
    summary: sentence`Changes the admin of a contract. The admin can migrate it.`,
    details: [contractAddress, address('New admin', 'new_admin')],
  }),
  defineExplainer({
    types: typesNamed('MsgClearAdmin', 'ClearAdminProposal'),
    title: 'Contract admin removal',
    required: ['contract'],
    summary: sentence`Removes the admin of a contract. Only governance can migrate it after that.`,
    details: [contractAddress],
  }),
]
