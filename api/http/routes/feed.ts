// `GET /feed.atom`: proposals, for feed readers. `GET /calendar.ics`: open proposals and upgrades.
// `GET /api/metrics/governance`: gauges of open votes.
import type { Route } from '../../../infra/base/http/routes.ts'
import { ATOM_TYPE, atomFeed } from '../../feed/atom.ts'
import { CALENDAR_TYPE, createCalendar } from '../../feed/calendar.ts'
import type { SnapshotSource } from '../../read/snapshots/snapshot-source.ts'
import { parseCalendarRequest } from '../../resources/calendar.ts'
import {
  createMetricsParser,
  governanceMetrics,
  writeMetrics,
} from '../../resources/governance-metrics.ts'
import { computeStatus } from '../../resources/health.ts'
import { proposals } from '../../resources/proposals.ts'
import { createResourceRoute, type ResourceRoutes } from './resources.ts'

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export const createFeedRoutes = (
  options: ResourceRoutes & {
    getServiceUrl: () => string | undefined
    snapshots: SnapshotSource
  },
): Route[] => {
  const { baseUrl } = options
  /** URLs are relative until the server listens. */
  const getOrigin = () => options.getServiceUrl() ?? ''
  const feed = createResourceRoute(options, {
    operationId: 'feed',
    path: '/feed.atom',
    parseRequest: proposals.parseRequest,
    form: () => ({
      name: 'feed',
      mediaType: ATOM_TYPE,
      render: (body) => {
        const alternateLink = `<${body.links.self}>; rel="alternate"; type="application/json"`
        const text = atomFeed(body, { baseUrl, origin: getOrigin() })
        return { text, fields: ['link', alternateLink] }
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
