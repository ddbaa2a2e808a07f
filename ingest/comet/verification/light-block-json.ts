// Writes a verified light block as the JSON of the RPC, with verified members only: every endpoint yields the same bytes.
import type { Commit, Signature } from '../../../infra/base/proof/commit.ts'
import type { BlockId, Header } from '../../../infra/base/proof/header.ts'
import { hashText, type LightBlock } from '../../../infra/base/proof/light-block.ts'
import type { Timestamp } from '../../../infra/base/proof/timestamp.ts'
import { ED25519 } from '../../../infra/base/proof/validators.ts'
import type { SignedBlock } from '../endpoints/node.ts'

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
