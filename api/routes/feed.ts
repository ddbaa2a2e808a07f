// `GET /feed.atom`: the list of proposals for feed readers, with the list's own filters and pages, stamped and kept as it is.
import type { FastifyInstance } from 'fastify'
import { listeningUrl } from '../../infra/runtime/listening-url.ts'
import { ATOM_TYPE, atomFeed } from '../feed/atom.ts'
import type { PageData } from '../pages/people-page.ts'
import { addPageRoutes, type PageRoutes } from './page-routes.ts'
import { createProposalWishes } from './proposals.ts'

export const addFeedRoute = (app: FastifyInstance, options: PageRoutes): void => {
  const { baseUrl } = options
  /** Without a socket there is no host to name: addresses are relative then. */
  const originOf = () => (baseUrl === '' ? (listeningUrl(app.server) ?? '') : baseUrl)
  addPageRoutes(app, options, {
    feed: {
      path: '/feed.atom',
      wish: createProposalWishes(options).listProposals,
      form: () => ({
        name: 'feed',
        mediaType: ATOM_TYPE,
        render: (json) => {
          const data = JSON.parse(json) as PageData['proposals']
          const twin = `<${data.links.self}>; rel="alternate"; type="application/json"`
          return { text: atomFeed(data, { baseUrl, origin: originOf() }), fields: ['link', twin] }
        },
      }),
    },
  })
}
