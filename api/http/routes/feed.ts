// `GET /feed.atom`: the list of proposals for feed readers, with the same filters and pages.
import type { FastifyInstance } from 'fastify'
import { listeningUrl } from '../../../infra/runtime/listening-url.ts'
import { ATOM_TYPE, atomFeed } from '../../feed/atom.ts'
import { proposals } from '../../resources/proposals.ts'
import { addResourceRoute, type ResourceRoutes } from './resources.ts'

export const addFeedRoute = (
  app: FastifyInstance,
  options: ResourceRoutes & { baseUrl: string },
): void => {
  const { baseUrl } = options
  /** URLs are relative until the server listens. */
  const getOrigin = () => (baseUrl === '' ? (listeningUrl(app.server) ?? '') : baseUrl)
  addResourceRoute(app, options, {
    operationId: 'feed',
    path: '/feed.atom',
    parseRequest: proposals.parseRequest,
    form: () => ({
      name: 'feed',
      mediaType: ATOM_TYPE,
      render: (body) => {
        const alternateLink = `<${body.links.self}>; rel="alternate"; type="application/json"`
        return {
          text: atomFeed(body, { baseUrl, origin: getOrigin() }),
          fields: ['link', alternateLink],
        }
      },
    }),
  })
}
