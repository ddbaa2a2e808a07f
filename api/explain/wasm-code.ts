// Explains messages about CosmWasm codes: upload, pinning and instantiate permissions.
import { hash } from 'node:crypto'
import {
  addressDetail,
  codeDetail,
  collectDetails,
  type Detail,
  optional,
  textDetail,
} from './details.ts'
import type { ExplainContext, Explained, Explainer } from './explainer.ts'
import { getInteger, getMember, getText, type JsonObject } from './members.ts'
import { omittedBytes, sizeText } from './values.ts'
import {
  callDetail,
  codeDetails,
  codeIds,
  contractMessage,
  contractName,
  permissionDetails,
} from './wasm-state.ts'

type Upload = { sha256: string; size: string }

/** The digest of the uploaded bytes, which can be compressed. */
const readUpload = (message: JsonObject): Upload | undefined => {
  const bytes = getMember(message, 'wasm_byte_code')
  if (typeof bytes !== 'string') return omittedBytes(bytes)
  const content = Buffer.from(bytes, 'base64')
  return { sha256: hash('sha256', content, 'hex'), size: `${content.length}` }
}

const uploadDetails = ({ sha256, size }: Upload, message: JsonObject): Detail[] =>
  collectDetails(
    textDetail('Size of the upload', sizeText(size)),
    codeDetail('SHA-256 of the upload', sha256),
    optional(codeDetail, 'Required checksum', getText(message, 'code_hash')),
    optional(codeDetail, 'Source', getText(message, 'source')),
    optional(codeDetail, 'Builder', getText(message, 'builder')),
  )

/** `MsgStoreCode` and the legacy `StoreCodeProposal`. */
export const explainStoreCode: Explainer = (message) => {
  const upload = readUpload(message)
  if (!upload) return undefined
  return {
    title: 'Contract code upload',
    summary: `Stores a CosmWasm code of ${sizeText(upload.size)} on the chain. It does nothing until a contract uses it.`,
    details: collectDetails(
      uploadDetails(upload, message),
      permissionDetails(getMember(message, 'instantiate_permission')),
    ),
  }
}

/** `MsgStoreCode` of IBC light clients in Wasm (08-wasm). */
export const explainStoreLightClient: Explainer = (message) => {
  const upload = readUpload(message)
  return (
    upload && {
      title: 'Light client upload',
      summary: `Stores an IBC light client of ${sizeText(upload.size)} on the chain.`,
      details: uploadDetails(upload, message),
    }
  )
}

export const explainStoreAndMigrate: Explainer = (message, at) => {
  const upload = readUpload(message)
  const contract = getText(message, 'contract')
  if (!upload || contract === undefined) return undefined
  return {
    title: 'Contract code upload and migration',
    summary: `Stores a CosmWasm code of ${sizeText(upload.size)} and migrates ${contractName(contract, at)} to it.`,
    details: collectDetails(
      addressDetail('Contract', contract),
      uploadDetails(upload, message),
      callDetail('Message to the new code', contractMessage(message)),
      permissionDetails(getMember(message, 'instantiate_permission')),
    ),
  }
}

const explainPins =
  (title: string, effect: (codes: string) => string) =>
  (message: JsonObject, at: ExplainContext): Explained | undefined => {
    const ids = codeIds(message)
    if (ids.length === 0) return undefined
    const codes = ids.length === 1 ? `the CosmWasm code ${ids[0]}` : `${ids.length} CosmWasm codes`
    return {
      title,
      summary: effect(codes),
      details: ids.flatMap((id) => codeDetails('Code', id, at)),
    }
  }

export const explainPinCodes: Explainer = explainPins(
  'Pinned contract codes',
  (codes) => `Pins ${codes} in the memory of the nodes, so that calls cost less gas.`,
)

export const explainUnpinCodes: Explainer = explainPins(
  'Unpinned contract codes',
  (codes) => `Unpins ${codes} from the memory of the nodes, so that calls cost more gas.`,
)

export const explainInstantiateConfig: Explainer = (message, at) => {
  const codeId = getInteger(message, 'code_id')
  if (codeId === undefined) return undefined
  return {
    title: 'Instantiate permission of a code',
    summary: `Changes who can instantiate contracts of the CosmWasm code ${codeId}.`,
    details: collectDetails(
      codeDetails('Code', codeId, at),
      permissionDetails(getMember(message, 'new_instantiate_permission')),
    ),
  }
}
