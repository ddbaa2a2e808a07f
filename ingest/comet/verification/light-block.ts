// Reads light blocks from `/commit` and `/validators` of the endpoints, verifies them before use, and writes them as the JSON of the RPC
// with verified members only: every endpoint yields the same bytes.
import type { Commit, Signature } from '../../../infra/base/proof/commit.ts'
import type { BlockId, Header, Timestamp } from '../../../infra/base/proof/header.ts'
import { hashText, type LightBlock, readLightBlock } from '../../../infra/base/proof/light-block.ts'
import { ProofError } from '../../../infra/base/proof/proof-error.ts'
import { ED25519 } from '../../../infra/base/proof/validators.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { ChainNode, SignedBlock } from '../endpoints/node.ts'
import { PROOF, type Ring } from '../endpoints/ring.ts'
import { isNotYet } from '../transport/rpc.ts'
import { invalidResponse, type RpcCommit } from '../transport/wire.ts'
import { readValidatorPages, verifySignature } from './validator-sets.ts'

type Endpoints = Pick<Ring, 'read'> & { endpoints: readonly Endpoint[] }

/** The type of the first key that is not Ed25519; undefined if all keys are Ed25519. */
const otherKeyIn = (validators: readonly unknown[]): string | undefined => {
  for (const each of validators as ({ pub_key?: { type?: unknown } } | null)[]) {
    const type = each?.pub_key?.type
    if (typeof type === 'string' && type !== ED25519) return type.slice(0, 64)
  }
  return undefined
}

/** Not a fault of the endpoint: the pool tries the next one. */
const withoutLightBlock = (height: number, reason: string, cause?: ProofError): AppError =>
  new AppError('HEIGHT_UNAVAILABLE', `there is no light block of height ${height}: ${reason}`, {
    cause,
  })

type LightBlockQuery = { chainId: string; height: number; hash: string }

const checked = (json: object, { chainId, height, hash }: LightBlockQuery): SignedBlock => {
  try {
    const block = readLightBlock(json, chainId, { path: `lightBlock[${height}]`, verifySignature })
    const found = hashText(block.hash)
    if (found === hash) return toSignedBlock(block)
    throw invalidResponse(`the header of height ${height} has the hash ${found}, not ${hash}`)
  } catch (error) {
    throw error instanceof ProofError ? invalidResponse(error.message, error) : error
  }
}

/** `canonical`: the commit is the one in the next block. */
export const readLightBlockJson = async (endpoint: Pick<Endpoint, 'call'>, height: bigint) => {
  const [{ signed_header: signed, canonical }, validators] = await Promise.all([
    endpoint.call<RpcCommit>('commit', { height: `${height}` }),
    readValidatorPages(endpoint, height),
  ])
  return { header: signed?.header, commit: signed?.commit, validators, canonical }
}

const fetchLightBlock = async (
  endpoint: Endpoint,
  query: LightBlockQuery,
): Promise<SignedBlock> => {
  const { height } = query
  const { canonical, ...json } = await readLightBlockJson(endpoint, BigInt(height)).catch(
    (error: unknown) => {
      const isRefusal = hasCode(error, 'RPC_REFUSED') && !isNotYet(error)
      throw isRefusal ? withoutLightBlock(height, error.message) : error
    },
  )
  if (canonical !== true) {
    const reason = `the commit of height ${height} is not canonical yet`
    throw new AppError('RPC_REFUSED', reason, { retryable: true })
  }
  const otherKey = otherKeyIn(json.validators)
  if (otherKey !== undefined) {
    const reason = `a validator has a key of the type ${otherKey}, not ${ED25519}`
    throw withoutLightBlock(height, reason, new ProofError('malformed', reason))
  }
  return checked(json, query)
}

/** Why no endpoint has a header that can be verified; undefined for any other error. */
export const findUnverifiable = ({ cause }: AppError): string | undefined =>
  cause instanceof ProofError ? cause.message : undefined

export const createLightBlocks =
  ({ endpoints, read }: Endpoints, chainId: string): Required<ChainNode>['lightBlock'] =>
  async (height, hash) => {
    /** By name. */
    const unverified = new Map<string, ProofError>()
    const fetch = async (endpoint: Endpoint): Promise<SignedBlock> => {
      try {
        return await fetchLightBlock(endpoint, { chainId, height, hash })
      } catch (error) {
        const { cause } = error as Error
        if (cause instanceof ProofError) unverified.set(endpoint.name, cause)
        throw error
      }
    }
    try {
      // As for state, does not wait for an endpoint that is down.
      return await read({ kept: 'state', height, ...PROOF }, fetch)
    } catch (error) {
      const ofChain = endpoints.filter(({ known }) => !known.isOfAnotherChain)
      const [cause] = unverified.values()
      if (!(error instanceof AppError) || !ofChain.every(({ name }) => unverified.has(name)))
        throw error
      throw new AppError(error.code, error.message, { retryable: error.retryable, cause })
    }
  }

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** As Go writes it: without trailing zeros in the fraction. */
const timeText = ({ seconds, nanos }: Timestamp): string => {
  const whole = new Date(Number(seconds) * 1_000).toISOString().slice(0, -5)
  const fraction = nanos === 0 ? '' : `.${`${nanos}`.padStart(9, '0').replace(/0+$/, '')}`
  return `${whole}${fraction}Z`
}

const blockIdJson = ({ hash, parts }: BlockId) => ({
  hash: hashText(hash),
  parts: { total: parts.total, hash: hashText(parts.hash) },
})

const headerJson = (header: Header) => {
  const { version } = header
  return {
    version: {
      block: `${version.block}`,
      ...(version.app === 0n ? {} : { app: `${version.app}` }),
    },
    chain_id: header.chainId,
    height: `${header.height}`,
    time: timeText(header.time),
    last_block_id: blockIdJson(header.lastBlockId),
    last_commit_hash: hashText(header.lastCommitHash),
    data_hash: hashText(header.dataHash),
    validators_hash: hashText(header.validatorsHash),
    next_validators_hash: hashText(header.nextValidatorsHash),
    consensus_hash: hashText(header.consensusHash),
    app_hash: hashText(header.appHash),
    last_results_hash: hashText(header.lastResultsHash),
    evidence_hash: hashText(header.evidenceHash),
    proposer_address: hashText(header.proposerAddress),
    ...(header.implicitHash ? { implicit_hash: hashText(header.implicitHash) } : {}),
  }
}

const FLAGS: Record<Signature['vote'], number> = { commit: 2, nil: 3 }
const ABSENT = {
  block_id_flag: 1,
  validator_address: '',
  timestamp: '0001-01-01T00:00:00Z',
  signature: null,
}

const signatureJson = (signature: Signature | null) =>
  signature
    ? {
        block_id_flag: FLAGS[signature.vote],
        validator_address: signature.address,
        timestamp: timeText(signature.time),
        signature: base64(signature.signature),
      }
    : ABSENT

const commitJson = ({ height, round, blockId, signatures }: Commit) => ({
  height: `${height}`,
  round: Number(round),
  block_id: blockIdJson(blockId),
  signatures: signatures.map(signatureJson),
})

export const toSignedBlock = ({ header, commit, validators }: LightBlock): SignedBlock => ({
  header: headerJson(header),
  commit: commitJson(commit),
  validators: validators.map(({ address, key, power }) => ({
    address,
    pub_key: { type: ED25519, value: base64(key) },
    voting_power: `${power}`,
  })),
  validatorsHash: hashText(header.validatorsHash),
  appHash: hashText(header.appHash),
})
