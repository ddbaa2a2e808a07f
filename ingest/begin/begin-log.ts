// The first append of a log begins with a snapshot; all later facts build on it.
import type { Logger } from '../../infra/base/runtime/logger.ts'
import type { ChainReader, SourcedBlock } from '../comet/endpoints/node.ts'
import { createRestore } from '../heights/governance.ts'
import type { Tail } from '../heights/log-tail.ts'
import type { SchemaSource } from '../schema/schema-source.ts'
import type { Reading } from './reading.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'

type Beginning = {
  node: ChainReader
  schemas: SchemaSource
  tail: Tail
  reading: Reading
  logger: Logger
}

/** Undefined for a snapshot with holes, unless it may have them. */
export const beginLog = async (
  { node, schemas, tail, logger, reading }: Beginning,
  { block }: SourcedBlock,
  mayHaveHoles: boolean,
): Promise<Snapshot | undefined> => {
  reading.report('reading the proposals')
  const snapshot = await takeSnapshot(node, block, schemas)
  reading.report(undefined)
  const { events, stateHeight, isPruned } = snapshot
  const { height } = block
  if (isPruned && !mayHaveHoles) {
    logger.warn({ height }, 'the state was pruned while it was read: begins again at the tip')
    return undefined
  }
  const restore = createRestore(tail)
  for (const event of events) restore(event)
  logger.info({ height, stateHeight, events: events.length }, 'took a snapshot')
  return snapshot
}
