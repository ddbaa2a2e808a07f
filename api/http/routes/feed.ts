// `GET /feed.atom`: proposals, or the votes of one account, for feed readers. `GET /calendar.ics`: open proposals and upgrades.
// `GET /api/metrics/governance`: gauges of open votes.
import type { Static } from 'typebox'
import type { Route } from '../../../infra/base/http/routes.ts'
import {
  type AccountFeedData,
  accountFeed,
  parseAccountFeedRequest,
} from '../../feed/account-feed.ts'
import { ATOM_TYPE, atomFeed } from '../../feed/atom.ts'
import { CALENDAR_TYPE, createCalendar } from '../../feed/calendar.ts'
import { parseCalendarRequest } from '../../resources/calendar.ts'
import { computeStatus } from '../../resources/health.ts'
import type { RequestParser } from '../../resources/operation.ts'
import { proposals } from '../../resources/proposals.ts'
import {
  createMetricsParser,
  governanceMetrics,
  writeMetrics,
} from '../../resources/votes-of-pools.ts'
import type { ProposalPage } from '../../schemas/proposal.ts'
import type { Service } from '../service.ts'
import { createResourceRoute } from './resources.ts'

type FeedData = Static<typeof ProposalPage> | AccountFeedData

const parseFeedRequest: RequestParser<FeedData>['parseRequest'] = (raw) =>
  'pool' in raw.query || 'voter' in raw.query
    ? parseAccountFeedRequest(raw)
    : proposals.parseRequest(raw)

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export const createFeedRoutes = (options: Service): Route[] => {
  const { baseUrl } = options
  /** URLs are relative until the server listens. */
  const getOrigin = () => options.getServiceUrl() ?? ''
  const feed = createResourceRoute<FeedData>(options, {
    operationId: 'feed',
    path: '/feed.atom',
    parseRequest: parseFeedRequest,
    form: () => ({
      name: 'feed',
      mediaType: ATOM_TYPE,
      render: (body) => {
        const alternateLink = `<${body.links.self}>; rel="alternate"; type="application/json"`
        const at = { baseUrl, origin: getOrigin() }
        return {
          text: 'account' in body ? accountFeed(body, at) : atomFeed(body, at),
          fields: ['link', alternateLink],
        }
      },
    }),
  })
  const calendar = createResourceRoute(options, {
    operationId: 'calendar',
    path: '/calendar.ics',
    parseRequest: parseCalendarRequest,
    form: () => ({
      name: 'calendar',
      mediaType: CALENDAR_TYPE,
      render: (body) => ({ text: createCalendar(body, getOrigin()), fields: [] }),
    }),
  })
  const metrics = createResourceRoute(options, {
    ...governanceMetrics,
    parseRequest: createMetricsParser(() => computeStatus(options.snapshots.freshness()) === 'ok'),
    form: () => ({
      name: 'metrics',
      mediaType: METRICS_TYPE,
      render: (body) => ({ text: writeMetrics(body), fields: [] }),
    }),
  })
  return [feed, calendar, metrics]
}
