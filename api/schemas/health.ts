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

/** Also the greeting of the stream. */
const Behind = Type.Object(
  {
    heights: nullable(Type.Integer({ minimum: 0 }), {
      description: 'Heights of the chain that are not served yet',
    }),
    seconds: nullable(Type.Number({ minimum: 0 }), {
      description: 'The same in block time',
    }),
  },
  {
    additionalProperties: true,
    description: 'How far the served height is behind the chain; null while its tip is not known',
  },
)

export const Health = Type.Object(
  {
    status: Type.Union(
      [Type.Literal('ok'), Type.Literal('catching_up'), Type.Literal('degraded')],
      {
        description:
          '`ok`: within 10 seconds and 5 heights of the chain. `catching_up`: further behind, and the indexed height increases. `degraded`: otherwise, also if no new height was indexed for minutes',
      },
    ),
    version: Type.String(),
    chain: nullable(IndexedHeight),
    tip: nullable(Height, { description: 'The latest known height of the chain' }),
    behind: Behind,
    lagEvents: nullable(Type.Integer({ minimum: 0 }), {
      description: 'Events in the log that are not in the tables yet',
    }),
    freshnessSeconds: nullable(Type.Number({ minimum: 0 }), {
      description:
        'How long this process has known the oldest height that is not served yet, in seconds',
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
