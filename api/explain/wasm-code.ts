// Explains messages about CosmWasm codes: upload, pinning and instantiate permissions.
import { hash } from 'node:crypto'
import { addressMember, codeDetail, codeMember, type Detail, textDetail } from './details.ts'
import { defineExplainer } from './explainer.ts'
import { getInteger, getList, getMember, getText } from './members.ts'
import { omittedBytes, sizeText } from './values.ts'
import {
  callToNewCode,
  codeDetails,
  contractName,
  createWasmTypes,
  instantiatePermission,
  newInstantiatePermission,
} from './wasm-state.ts'

type Upload = { sha256: string; size: string }

/** The digest of the uploaded bytes, which can be compressed. */
const getUpload = (message: unknown, name: string): Upload | undefined => {
  const bytes = getMember(message, name)
  if (typeof bytes !== 'string') return omittedBytes(bytes)
  const content = Buffer.from(bytes, 'base64')
  return { sha256: hash('sha256', content, 'hex'), size: `${content.length}` }
}

type Uploading = { wasm_byte_code: Upload }

const codeText = ({ wasm_byte_code: { size } }: Uploading): string =>
  `a CosmWasm code of ${sizeText(size)}`

const UPLOAD = [
  ({ wasm_byte_code: { size } }: Uploading): Detail =>
    textDetail('Size of the upload', sizeText(size)),
  ({ wasm_byte_code: { sha256 } }: Uploading): Detail =>
    codeDetail('SHA-256 of the upload', sha256),
  codeMember('Required checksum', 'code_hash'),
  codeMember('Source', 'source'),
  codeMember('Builder', 'builder'),
]

/** The IDs of at least one code. */
const getCodeIds = (message: unknown, name: string): readonly string[] | undefined => {
  const ids = getList(message, name).flatMap((id) => getInteger({ id }, 'id') ?? [])
  return ids.length === 0 ? undefined : ids
}

const definePins = (
  types: readonly string[],
  { title, effect }: { title: string; effect: (codes: string) => string },
) =>
  defineExplainer({
    types,
    title,
    required: { code_ids: getCodeIds },
    summary: ({ code_ids: ids }) =>
      effect(ids.length === 1 ? `the CosmWasm code ${ids[0]}` : `${ids.length} CosmWasm codes`),
    details: [({ code_ids: ids }, at) => ids.flatMap((id) => codeDetails('Code', id, at))],
  })

export const WASM_CODE_EXPLAINERS = [
  defineExplainer({
    types: createWasmTypes('MsgStoreCode', 'StoreCodeProposal'),
    title: 'Contract code upload',
    required: { wasm_byte_code: getUpload },
    summary: (message) =>
      `Stores ${codeText(message)} on the chain. It does nothing until a contract uses it.`,
    details: [...UPLOAD, instantiatePermission],
  }),
  defineExplainer({
    types: ['/ibc.lightclients.wasm.v1.MsgStoreCode'],
    title: 'Light client upload',
    required: { wasm_byte_code: getUpload },
    summary: ({ wasm_byte_code: { size } }) =>
      `Stores an IBC light client of ${sizeText(size)} on the chain.`,
    details: UPLOAD,
  }),
  defineExplainer({
    types: createWasmTypes('MsgStoreAndMigrateContract'),
    title: 'Contract code upload and migration',
    required: { wasm_byte_code: getUpload, contract: getText },
    summary: (message, at) =>
      `Stores ${codeText(message)} and migrates ${contractName(message, at)} to it.`,
    details: [
      addressMember('Contract', 'contract'),
      ...UPLOAD,
      callToNewCode,
      instantiatePermission,
    ],
  }),
  definePins(createWasmTypes('MsgPinCodes', 'PinCodesProposal'), {
    title: 'Pinned contract codes',
    effect: (codes) => `Pins ${codes} in the memory of the nodes, so that calls cost less gas.`,
  }),
  definePins(createWasmTypes('MsgUnpinCodes', 'UnpinCodesProposal'), {
    title: 'Unpinned contract codes',
    effect: (codes) => `Unpins ${codes} from the memory of the nodes, so that calls cost more gas.`,
  }),
  defineExplainer({
    types: createWasmTypes('MsgUpdateInstantiateConfig'),
    title: 'Instantiate permission of a code',
    required: { code_id: getInteger },
    summary: ({ code_id: id }) =>
      `Changes who can instantiate contracts of the CosmWasm code ${id}.`,
    details: [({ code_id: id }, at) => codeDetails('Code', id, at), newInstantiatePermission],
  }),
]
