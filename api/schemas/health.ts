// How fresh the answers are: told always, also when the store is away.
import { type Static, Type } from 'typebox'
import { Height, nullable, Timestamp } from './common.ts'

export const Health = Type.Object(
  {
    status: Type.Union([Type.Literal('ok'), Type.Literal('catching_up'), Type.Literal('degraded')]),
    version: Type.String(),
    chain: nullable(Type.Object({ chainId: Type.String(), height: Height, time: Timestamp })),
    /** The node's latest height, as last told. */
    tip: nullable(Height),
    lagEvents: nullable(Type.Integer({ minimum: 0 })),
    freshnessSeconds: nullable(Type.Number({ minimum: 0 })),
    /** Null where this deployment does not serve it. */
    links: Type.Object({
      openapi: nullable(Type.String()),
      mcp: nullable(Type.String()),
      authMd: nullable(Type.String()),
      apiCatalog: nullable(Type.String()),
    }),
  },
  { additionalProperties: true },
)
export type Health = Static<typeof Health>
