// `GET /feed.atom`: proposals, or the votes of one validator, for feed readers. `GET /calendar.ics`: open proposals and upgrades.
import type { Static } from 'typebox'
import type { Route } from '../../../infra/base/http/routes.ts'
import { ATOM_TYPE, atomFeed } from '../../feed/atom.ts'
import { CALENDAR_TYPE, createCalendar } from '../../feed/calendar.ts'
import { validatorFeed } from '../../feed/validator-feed.ts'
import { parseCalendarRequest } from '../../resources/calendar.ts'
import type { RequestParser } from '../../resources/operation.ts'
import { proposals } from '../../resources/proposals.ts'
import {
  parseValidatorFeedRequest,
  type ValidatorFeedData,
} from '../../resources/validator-feed.ts'
import type { ProposalPage } from '../../schemas/proposal.ts'
import { createResourceRoute, type ResourceRoutes } from './resources.ts'

type FeedData = Static<typeof ProposalPage> | ValidatorFeedData

const parseFeedRequest: RequestParser<FeedData>['parseRequest'] = (raw) =>
  'validator' in raw.query ? parseValidatorFeedRequest(raw) : proposals.parseRequest(raw)

export const createFeedRoutes = (
  options: ResourceRoutes & { getServiceUrl: () => string | undefined },
): Route[] => {
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
          text: 'operatorAddress' in body ? validatorFeed(body, at) : atomFeed(body, at),
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
  return [feed, calendar]
}
