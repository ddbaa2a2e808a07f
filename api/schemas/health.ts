// Schema of the health of the service.
import { type Static, Type } from 'typebox'
import { History } from '../../ingest/contract/history-events.ts'
import { Limitation } from '../../ingest/contract/limitations.ts'
import {
  AsOf,
  component,
  count,
  Height,
  nullable,
  openComponent,
  Timestamp,
  text,
} from './common.ts'

const { kind, since, reason } = Limitation.properties

const ChainLimitation = openComponent('ChainLimitation', {
  kind,
  since,
  message: text('The limitation in a sentence'),
  reason,
})

const { total, done, unreachable, reason: unreachableReason } = History.properties

const HistoryProgress = openComponent('HistoryProgress', {
  total,
  done,
  unreachable,
  reason: unreachableReason,
})

/** Also the greeting of the stream. */
const Behind = openComponent(
  'Behind',
  {
    heights: nullable(count(), 'Heights of the chain that are not served yet'),
    seconds: nullable(Type.Number({ minimum: 0 }), 'The same in block time'),
  },
  'How far the served height is behind the chain; null while its tip is not known',
)

const CatchUp = openComponent('CatchUp', {
  of: Type.Union([Type.Literal('heights'), Type.Literal('history')], {
    description:
      '`heights`: up to the tip of the chain. `history`: proposals that ended before the first indexed height',
  }),
  done: count('The served height, or proposals'),
  total: count('The tip, or all proposals that can be read'),
  secondsLeft: nullable(
    Type.Number({ minimum: 0 }),
    'At the observed rate; null while it is not known',
  ),
})

const HealthLinks = component('HealthLinks', {
  openapi: Type.String(),
  mcp: Type.String(),
  authMd: Type.String(),
  apiCatalog: Type.String(),
})

export const Health = openComponent('Health', {
  status: Type.Union([Type.Literal('ok'), Type.Literal('catching_up'), Type.Literal('degraded')], {
    description:
      '`ok`: within 10 seconds and 5 heights of the chain. `catching_up`: further behind, and the indexed height increases. `degraded`: otherwise, also if no new height is indexed: `behind` then has nulls',
  }),
  version: Type.String(),
  chain: nullable(AsOf, 'The served height; null before the first one'),
  tip: nullable(Height, 'The latest known height of the chain'),
  behind: Behind,
  catchUp: nullable(CatchUp, 'What is still to come of the past; null if nothing is'),
  lagEvents: nullable(count(), 'Events in the log that are not in the tables yet'),
  freshnessSeconds: nullable(
    Type.Number({ minimum: 0 }),
    'How long this process has known the oldest height that is not served yet, in seconds',
  ),
  noBlockSince: nullable(
    Timestamp,
    'Block time of the last block, if no new one came for much longer than blocks of this chain take; null otherwise. The chain has halted, or its blocks do not reach Rollcall',
  ),
  limitations: Type.Array(ChainLimitation, {
    description: 'What cannot be read or verified of the chain as a whole; usually empty',
  }),
  history: nullable(
    HistoryProgress,
    'How many of the proposals that ended before the first indexed height are recomputed; null if there are none, or if this is off',
  ),
  links: HealthLinks,
})
export type Health = Static<typeof Health>
