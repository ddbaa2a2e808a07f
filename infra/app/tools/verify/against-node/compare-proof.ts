// Reads a proof of the log again from a node and compares both. `check-proofs.ts` verifies the proof itself.
import { isDeepStrictEqual } from 'node:util'
import type { ChainNode } from '../../../../../ingest/comet/node.ts'
import type { EventOf } from '../../../../../ingest/contract/events.ts'
import { base64Chunks } from '../../../../../ingest/enrich/base64-chunks.ts'
import type { Logged } from './compare-facts.ts'
import type { Findings } from './findings.ts'

export const compareProof = async (
  { offset, event }: Logged<EventOf<'rollcall.proposal.proof.v1'>>,
  node: Pick<ChainNode, 'abciQuery'>,
  findings: Findings,
): Promise<void> => {
  const { id, type, height, data } = event
  if (data.value === null) {
    findings.skip(type, 'the log has none', height)
    return
  }
  const answer = await node.abciQuery({
    path: `/store/${data.store}/key`,
    data: Buffer.from(data.key, 'hex'),
    height: data.stateHeight,
    prove: true,
  })
  if (answer.kind !== 'value') {
    findings.skip(type, answer.log, height)
    return
  }
  const isSame =
    base64Chunks(answer.value)[data.chunk] === data.value &&
    isDeepStrictEqual(answer.proofOps, data.proofOps)
  if (!isSame)
    findings.report('differs', { offset, height }, `${id}: the proof differs from the chain`)
  findings.compared.parts++
  findings.compared.events++
}
