// Compares verification of a recorded proof with its signatures alone, and measures the size of proofs in a log.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { ed25519 } from '@noble/curves/ed25519.js'
import { signedBytes } from '../../infra/base/proof/commit.ts'
import { hashText, type LightBlock, readLightBlock } from '../../infra/base/proof/light-block.ts'
import { verifyProposal } from '../../infra/base/proof/verify.ts'
import { decodeEvent } from '../../ingest/contract/codec.ts'
import { indexDemoChain } from '../support/log/demo-log.ts'
import { LIGHT_CHAIN_ID, lightBlockJson } from '../support/simulator/signatures.ts'
import { measurePairs } from './measure.ts'
import type { Measurement } from './measurement.ts'

const ROUNDS = 20

type Recorded = {
  chainId: string
  proposals: { id: string; proof: object }[]
  lightBlocks: object[]
}

const readRecorded = (): Recorded =>
  JSON.parse(readFileSync(new URL('../fixtures/proposal-proofs.json', import.meta.url), 'utf8'))

const measureRate = (work: () => void): number => {
  const startedMs = performance.now()
  for (let round = 0; round < ROUNDS; round++) work()
  return (ROUNDS * 1_000) / (performance.now() - startedMs)
}

type Signed = { signature: Uint8Array; bytes: Uint8Array; key: Uint8Array }

const collectSignatures = ({ commit, header, validators }: LightBlock): Signed[] =>
  commit.signatures.flatMap((signed, n) => {
    const key = validators[n]?.key
    if (!signed || !key) return []
    return [
      { key, signature: signed.signature, bytes: signedBytes(commit, signed, header.chainId) },
    ]
  })

/** The number of a large chain; the recorded chain has one signer. */
const SIGNERS = 150

const manySignatures = (): string => {
  const members = Array.from({ length: SIGNERS }, (_, n) => ({ name: `signer ${n}`, power: 1 }))
  const json = lightBlockJson({ height: 1, members })
  const startedMs = performance.now()
  readLightBlock(json, LIGHT_CHAIN_ID)
  const tookMs = performance.now() - startedMs
  return `a header with ${SIGNERS} signatures is verified in ${tookMs.toFixed(0)} ms`
}

const PROOF_EVENT = /\.(?:light-block\.observed|validators\.observed|proposal\.proof)\.v1$/

/** Over the whole demo chain. */
const logGrowth = async (): Promise<string> => {
  const demo = await indexDemoChain()
  try {
    const sizes = { proofs: 0, all: 0 }
    const proposals = new Set<string>()
    for (const { value } of demo.records) {
      const decoded = decodeEvent(value)
      if (!decoded.ok) continue
      const { type, data } = decoded.event
      sizes.all += value.length
      if (PROOF_EVENT.test(type)) sizes.proofs += value.length
      if (type === 'rollcall.proposal.proof.v1') proposals.add(data.proposalId)
    }
    const each = Math.round(sizes.proofs / proposals.size)
    const share = ((sizes.proofs * 100) / sizes.all).toFixed(0)
    return `proofs take ${each} bytes of the log per proposal of the demo chain, ${share} % of the log`
  } finally {
    await demo.remove()
  }
}

export const proofs: Measurement = {
  name: 'proofs',
  question: 'what does it cost to verify and to store a proof?',
  run: async ({ pairs, log }) => {
    const { chainId, proposals, lightBlocks } = readRecorded()
    const [first] = lightBlocks
    const [proposal] = proposals
    if (!first || !proposal) throw new Error('the recording has no proof')
    const start = readLightBlock(first, chainId)
    const trusted = { height: start.header.height, hash: hashText(start.hash) }
    const claim = { chainId, proposalId: BigInt(proposal.id), trusted }
    const blocks = lightBlocks.map((json) => readLightBlock(json, chainId))
    const signatures = collectSignatures(readLightBlock(proposal.proof, chainId))
    const json = JSON.stringify(proposal.proof)
    const measured = await measurePairs(
      {
        subject: async () => measureRate(() => verifyProposal(JSON.parse(json), claim, blocks)),
        baseline: async () =>
          measureRate(() => {
            for (const { signature, bytes, key } of signatures)
              ed25519.verify(signature, bytes, key, { zip215: true })
          }),
      },
      { pairs, log },
    )
    return [
      {
        name: 'proofs',
        unit: 'proofs/s',
        subject: {
          label: 'verification from stored bytes to a trusted header',
          figure: measured.subject,
        },
        baseline: { label: 'its signatures alone', figure: measured.baseline },
        ratio: measured.ratio,
        target: null,
        notes: [
          `signatures: ${signatures.length}; ${json.length} bytes of JSON, ${gzipSync(json).length} with gzip`,
          manySignatures(),
          await logGrowth(),
        ],
      },
    ]
  },
}
