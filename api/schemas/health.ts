// Schema of the health of the service.
import { type Static, Type } from 'typebox'
import { Height, IndexedHeight, nullable } from './common.ts'

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
