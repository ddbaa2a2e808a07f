// Reads the validator sets of a chain and checks them against the hash in a header. Verifies Ed25519 signatures as CometBFT does
// (ZIP-215), at the speed of OpenSSL.
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type VerifySignature, verifyEd25519 } from '../../../infra/base/proof/commit.ts'
import type { Header } from '../../../infra/base/proof/header.ts'
import { readJson } from '../../../infra/base/proof/json-reader.ts'
import { ensureValidators, hashText } from '../../../infra/base/proof/light-block.ts'
import { readValidators, type Validator } from '../../../infra/base/proof/validators.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { invalidResponse, type RpcValidators, readHeight } from '../transport/wire.ts'

/** Page limit of CometBFT. */
const PER_PAGE = 100
const MAX_PAGES = 100
/** Limit of all cached sets. A set of a large chain has 200 validators, and each block may have another set. */
const MAX_CACHED_VALIDATORS = 20_000

/** Reads all pages of `/validators`. */
export const readValidatorPages = async (
  endpoint: Pick<Endpoint, 'call'>,
  height: bigint,
): Promise<unknown[]> => {
  const read = async (page: number) => {
    const params = { height: `${height}`, page: `${page}`, per_page: `${PER_PAGE}` }
    const { validators, total } = await endpoint.call<RpcValidators>('validators', params)
    if (!Array.isArray(validators)) throw invalidResponse('validators is not a list')
    return { validators, total }
  }
  const { validators: first, total } = await read(1)
  const pages = Math.ceil(readHeight(total, 'total of the validators') / (first.length || 1))
  if (pages > MAX_PAGES) throw invalidResponse(`the validators have ${pages} pages`)
  const others = Array.from({ length: Math.max(pages - 1, 0) }, (_, index) => read(index + 2))
  const rest = await Promise.all(others)
  return [...first, ...rest.flatMap(({ validators }) => validators)]
}

const readSet = async (endpoint: Endpoint, header: Header): Promise<readonly Validator[]> => {
  const pages = await readValidatorPages(endpoint, header.height)
  const validators = readValidators(readJson(pages, 'validators'))
  ensureValidators(validators, header)
  return validators
}

export const createValidatorSets = () => {
  const sets = new LRUCache<string, readonly Validator[]>({
    maxSize: MAX_CACHED_VALIDATORS,
    sizeCalculation: ({ length }) => length,
  })
  /** By endpoint: no endpoint is blamed for a response of another one. */
  const reading = new Map<string, Promise<readonly Validator[]>>()
  const readOnce = async (endpoint: Endpoint, header: Header) => {
    const hash = hashText(header.validatorsHash)
    const key = `${endpoint.name} ${hash}`
    const underWay = reading.get(key)
    if (underWay) return await underWay
    const read = readSet(endpoint, header).finally(() => reading.delete(key))
    reading.set(key, read)
    const validators = await read
    sets.set(hash, validators)
    return validators
  }
  return {
    /** Throws `ProofError` or `AppError` if the endpoint does not have the set that the header names. */
    of: async (endpoint: Endpoint, header: Header): Promise<readonly Validator[]> =>
      sets.get(hashText(header.validatorsHash)) ?? (await readOnce(endpoint, header)),
  }
}

/** Cached as long as the validator set with these bytes. */
const keys = new WeakMap<Uint8Array, KeyObject>()

const getPublicKey = (bytes: Uint8Array): KeyObject => {
  const known = keys.get(bytes)
  if (known) return known
  const x = Buffer.from(bytes).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  keys.set(bytes, key)
  return key
}

const isValidForOpenSsl: VerifySignature = (signature, bytes, key) => {
  try {
    return verify(null, bytes, getPublicKey(key), signature)
  } catch {
    return false
  }
}

/** OpenSSL is stricter than ZIP-215, so a signature that it refuses is checked again. */
export const verifySignature: VerifySignature = (signature, bytes, key) =>
  isValidForOpenSsl(signature, bytes, key) || verifyEd25519(signature, bytes, key)
