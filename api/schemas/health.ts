// How fresh the answers are: told always, also when the store is away.
import { type Static, Type } from 'typebox'
import { Height, nullable, Timestamp } from './common.ts'

export const Health = Type.Object(
  {
    status: Type.Union([Type.Literal('ok'), Type.Literal('catching_up'), Type.Literal('degraded')]),
    version: Type.String(),
    chain: nullable(Type.Object({ chainId: Type.String(), height: Height, time: Timestamp })),
    tip: nullable(Height, { description: "The node's latest height, as last told" }),
    lagEvents: nullable(Type.Integer({ minimum: 0 }), {
      description: 'Events in the log that are not projected yet',
    }),
    freshnessSeconds: nullable(Type.Number({ minimum: 0 }), {
      description: 'How long the oldest height that is known but not served has waited',
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
