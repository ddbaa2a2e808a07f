// The schema source of a test chain.

import { systemClock } from '../../../infra/base/runtime/clock.ts'
import type { ChainNode } from '../../../ingest/comet/endpoints/node.ts'
import { createSchemaSource, type SchemaSource } from '../../../ingest/schema/schema-source.ts'
import { silentLogger } from '../process/log-lines.ts'

export const createSchemas = (node: Pick<ChainNode, 'abciQuery'>): SchemaSource =>
  createSchemaSource({ node, clock: systemClock, logger: silentLogger() })
