// Schema of the health of the service.
import { type Static, Type } from 'typebox'
import { History } from '../../ingest/contract/history-events.ts'
import { Limitation } from '../../ingest/contract/limitations.ts'
import { AsOf, Height, nullable, Timestamp } from './common.ts'

const { kind, since, reason } = Limitation.properties

const ChainLimitation = Type.Object(
  {
    kind,
    since,
    message: Type.String({ description: 'The limitation in a sentence' }),
    reason,
  },
  { title: 'ChainLimitation', additionalProperties: true },
)

const { total, done, unreachable, reason: unreachableReason } = History.properties

const HistoryProgress = Type.Object(
  { total, done, unreachable, reason: unreachableReason },
  { title: 'HistoryProgress', additionalProperties: true },
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
    title: 'Behind',
    additionalProperties: true,
    description: 'How far the served height is behind the chain; null while its tip is not known',
  },
)

const CatchUp = Type.Object(
  {
    of: Type.Union([Type.Literal('heights'), Type.Literal('history')], {
      description:
        '`heights`: up to the tip of the chain. `history`: proposals that ended before the first indexed height',
    }),
    done: Type.Integer({ minimum: 0, description: 'The served height, or proposals' }),
    total: Type.Integer({ minimum: 0, description: 'The tip, or all proposals that can be read' }),
    secondsLeft: nullable(Type.Number({ minimum: 0 }), {
      description: 'At the observed rate; null while it is not known',
    }),
  },
  { title: 'CatchUp', additionalProperties: true },
)

const HealthLinks = Type.Object(
  {
    openapi: Type.String(),
    mcp: Type.String(),
    authMd: Type.String(),
    apiCatalog: Type.String(),
  },
  { title: 'HealthLinks' },
)

export const Health = Type.Object(
  {
    status: Type.Union(
      [Type.Literal('ok'), Type.Literal('catching_up'), Type.Literal('degraded')],
      {
        description:
          '`ok`: within 10 seconds and 5 heights of the chain. `catching_up`: further behind, and the indexed height increases. `degraded`: otherwise, also if no new height is indexed: `behind` then has nulls',
      },
    ),
    version: Type.String(),
    chain: nullable(AsOf, { description: 'The served height; null before the first one' }),
    tip: nullable(Height, { description: 'The latest known height of the chain' }),
    behind: Behind,
    catchUp: nullable(CatchUp, {
      description: 'What is still to come of the past; null if nothing is',
    }),
    lagEvents: nullable(Type.Integer({ minimum: 0 }), {
      description: 'Events in the log that are not in the tables yet',
    }),
    freshnessSeconds: nullable(Type.Number({ minimum: 0 }), {
      description:
        'How long this process has known the oldest height that is not served yet, in seconds',
    }),
    noBlockSince: nullable(Timestamp, {
      description:
        'Block time of the last block, if no new one came for much longer than blocks of this chain take; null otherwise. The chain has halted, or its blocks do not reach Rollcall',
    }),
    limitations: Type.Array(ChainLimitation, {
      description: 'What cannot be read or verified of the chain as a whole; usually empty',
    }),
    history: nullable(HistoryProgress, {
      description:
        'How many of the proposals that ended before the first indexed height are recomputed; null if there are none, or if this is off',
    }),
    links: HealthLinks,
  },
  { title: 'Health', additionalProperties: true },
)
export type Health = Static<typeof Health>
