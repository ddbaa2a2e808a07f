// The schema source of a test chain, and the snapshot that ingest creates from it.

import { systemClock } from '../../../infra/base/runtime/clock.ts'
import { takeSnapshot } from '../../../ingest/begin/snapshot.ts'
import type { Block } from '../../../ingest/comet/blocks/block.ts'
import type { ChainNode } from '../../../ingest/comet/endpoints/node.ts'
import type { EventOf } from '../../../ingest/contract/events.ts'
import { createSchemaSource, type SchemaSource } from '../../../ingest/schema/schema-source.ts'
import { silentLogger } from '../process/log-lines.ts'

export const createSchemas = (node: Pick<ChainNode, 'abciQuery'>): SchemaSource =>
  createSchemaSource({ node, clock: systemClock, logger: silentLogger() })

/** Only its `chain.snapshot` events. */
export const readSnapshot = async (
  node: Pick<ChainNode, 'abciQuery' | 'block'>,
  block: Block,
): Promise<EventOf<'rollcall.chain.snapshot.v1'>[]> => {
  const { events } = await takeSnapshot(node, block, createSchemas(node))
  return events.filter((event) => event.type === 'rollcall.chain.snapshot.v1')
}
