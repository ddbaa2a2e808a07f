// Reads one marked height of the log again from the chain, and compares it.

import { createStateAt, type RuledNode } from '../../../../../ingest/chain/state-at.ts'
import type { Block } from '../../../../../ingest/comet/block.ts'
import type { ChainNode } from '../../../../../ingest/comet/node.ts'
import type { Marker } from '../../../../../ingest/contract/events.ts'
import { derive, PARSER_VERSION } from '../../../../../ingest/derive/derive.ts'
import type { SchemaSource } from '../../../../../ingest/schema/schema-source.ts'
import { AppError, hasCode } from '../../../../base/runtime/errors.ts'
import { pickHeight } from '../sample.ts'
import { compareFollowing } from './compare-context.ts'
import { compareFacts, type Logged } from './compare-facts.ts'
import { compareProof } from './compare-proof.ts'
import { compareState } from './compare-state.ts'
import type { Findings } from './findings.ts'

export type LoggedHeight = { marker: Logged<Marker>; events: readonly Logged[] }

export type HeightComparer = {
  node: RuledNode & Pick<ChainNode, 'block'>
  schemas: SchemaSource
  seed: string
  findings: Findings
}

/** Returns undefined and reports it if no endpoint has the block any more. */
const readBlock = async (
  { node, findings }: HeightComparer,
  height: number,
): Promise<Block | undefined> => {
  try {
    return await node.block(height)
  } catch (error) {
    if (!hasCode(error, 'HEIGHT_UNAVAILABLE')) throw error
    findings.skip('block', error instanceof AppError ? error.message : String(error), height)
    return undefined
  }
}

const compareBlock = (
  { offset, event }: Logged<Marker>,
  block: Block,
  { findings }: HeightComparer,
) => {
  const { id, height, time, data } = event
  const position = { offset, height }
  if (data.hash !== block.hash) {
    findings.report(
      'differs',
      position,
      `${id}: the block is ${data.hash} in the log, ${block.hash} on the chain`,
    )
  }
  if (time !== block.time) {
    findings.report(
      'differs',
      position,
      `${id}: the time is ${time} in the log, ${block.time} on the chain`,
    )
  }
  findings.compared.blocks++
}

/** Compares the blocks of a marker: the link to the previous block, and a sampled block without events. */
const compareQuiet = async (
  { offset, event }: Logged<Marker>,
  last: Block,
  comparer: HeightComparer,
): Promise<void> => {
  const { findings, seed } = comparer
  const { id, height, data } = event
  const position = { offset, height }
  const first = data.from === height ? last : await readBlock(comparer, data.from)
  if (first && first.previousHash !== data.previousHash) {
    findings.report(
      'differs',
      position,
      `${id}: block ${data.from} follows ${first.previousHash} on the chain`,
    )
  }
  if (data.from === height) return
  const quiet = await readBlock(comparer, pickHeight(seed, { from: data.from, to: height - 1 }))
  if (!quiet) return
  findings.compared.quietBlocks++
  const { facts } = derive(quiet)
  for (const { kind, ordinal } of facts) {
    findings.report(
      'missing',
      position,
      `block ${quiet.height} has a fact (${kind}, event ${ordinal}) that the log does not have`,
    )
  }
}

export const compareHeight = async (
  logged: LoggedHeight,
  comparer: HeightComparer,
): Promise<void> => {
  const { node, findings } = comparer
  const { marker, events } = logged
  const { height, data } = marker.event
  const block = await readBlock(comparer, height)
  if (!block) return
  compareBlock(marker, block, comparer)
  if (data.parserVersion === PARSER_VERSION) {
    await compareQuiet(marker, block, comparer)
    await compareFacts(comparer, { block, logged: events, marker }, findings)
  } else {
    findings.skip('events', `read by parser version ${data.parserVersion}`, height)
  }
  const state = createStateAt(node, height)
  for (const logged of events) {
    const { offset, event } = logged
    if (event.type !== 'rollcall.proposal.proof.v1') await compareState(logged, state, findings)
    else await compareProof({ offset, event }, node, findings)
  }
  await compareFollowing(events, comparer)
}
