// Schema of the health of the service.
import { type Static, Type } from 'typebox'
import { Limitation } from '../../ingest/contract/limitations.ts'
import { Height, IndexedHeight, nullable } from './common.ts'

const { kind, since, reason } = Limitation.properties

const ChainLimitation = Type.Object(
  {
    kind,
    since,
    message: Type.String({ description: 'The limitation in a sentence' }),
    reason,
  },
  { additionalProperties: true },
)

export const Health = Type.Object(
  {
    status: Type.Union([Type.Literal('ok'), Type.Literal('catching_up'), Type.Literal('degraded')]),
    version: Type.String(),
    chain: nullable(IndexedHeight),
    tip: nullable(Height, { description: 'The latest known height of the node' }),
    lagEvents: nullable(Type.Integer({ minimum: 0 }), {
      description: 'Events in the log that are not in the tables yet',
    }),
    freshnessSeconds: nullable(Type.Number({ minimum: 0 }), {
      description: 'Age of the oldest known height that is not served yet, in seconds',
    }),
    limitations: Type.Array(ChainLimitation, {
      description: 'What cannot be read or verified of the chain as a whole; usually empty',
    }),
    links: Type.Object({
      openapi: Type.String(),
      mcp: Type.String(),
      authMd: Type.String(),
      apiCatalog: Type.String(),
    }),
  },
  { additionalProperties: true },
)
export type Health = Static<typeof Health>
