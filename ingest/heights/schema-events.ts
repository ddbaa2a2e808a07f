// Creates the events of a schema that the log does not have yet.
import { gzipSync } from 'node:zlib'
import { ORDINAL, SUB_LIMIT } from '../contract/envelope.ts'
import type { GovernanceEvent, Marker } from '../contract/events.ts'
import { type BlockReference, eventAt } from '../derive/event-at.ts'
import { base64Chunks } from '../proofs/base64-chunks.ts'
import type { ChainSchema } from '../schema/chain-schema.ts'

export type SchemaEvents = {
  /** The schema of a marker. Undefined if the log has none. */
  hash(): string | undefined
  /** Comes before the other events of the height. Empty if the log already has the schema. */
  createEvents(block: BlockReference, schema: ChainSchema | undefined): GovernanceEvent[]
}

/** `sub` of its events at ordinal 0, after those of a snapshot. */
export const FIRST_SCHEMA_SUB = SUB_LIMIT - 128

const schemaEvents = (block: BlockReference, { hash, bytes }: ChainSchema): GovernanceEvent[] => {
  const parts = base64Chunks(gzipSync(bytes))
  return parts.map((gzip, chunk) =>
    eventAt(
      block,
      { ordinal: ORDINAL.before, sub: FIRST_SCHEMA_SUB + chunk },
      {
        type: 'rollcall.schema.observed.v1',
        data: { chunk, chunks: parts.length, hash, size: bytes.length, gzip },
      },
    ),
  )
}

/** `marker`: the last one in the log. Call in order of heights. */
export const createSchemaEvents = (marker: Marker | undefined): SchemaEvents => {
  let hash = marker?.data.schemaHash
  return {
    hash: () => hash,
    createEvents: (block, schema) => {
      if (!schema || schema.hash === hash) return []
      hash = schema.hash
      return schemaEvents(block, schema)
    },
  }
}
