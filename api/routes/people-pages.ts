// The addresses that people and their agents open: each is a page of the API in HTML or Markdown, as `Accept` has it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { homeLinks } from '../discovery/links.ts'
import type { DisplayUnit } from '../display-unit.ts'
import { HTML, HTML_FIELDS } from '../html/renderers.ts'
import { MARKDOWN } from '../markdown/renderers.ts'
import { createHome } from '../page-kinds/home.ts'
import type { PageAt, PageData, PageName } from '../pages/people-page.ts'
import type { Rendered, Representation } from '../pages/representations.ts'
import { commonHeaders } from '../plugins/headers.ts'
import { noteProblem, type ProblemOptions, sendProblem } from '../plugins/problem-details.ts'
import { type ApiProblem, PROBLEMS, problemBody } from '../problem.ts'
import { healthOf } from '../queries/get-health.ts'
import { createNegotiation, type Negotiate } from '../request/negotiate.ts'
import type { Query } from '../request/parameters.ts'
import type { ServedState } from '../served/served-state.ts'
import { lookUp } from './look-up.ts'
import {
  addPageRoutes,
  type PageOperation,
  type PageRequest,
  type PageRoutes,
} from './page-routes.ts'
import { createPoolAndVoterWishes } from './pools-and-voters.ts'
import { createProposalWishes } from './proposals.ts'

export type PeoplePages = PageRoutes & {
  state: ServedState
  version: string
  problems: ProblemOptions
  unit?: DisplayUnit | undefined
}

const MARKDOWN_TYPE = 'text/markdown'
const HTML_TYPE = 'text/html'
type PageType = typeof MARKDOWN_TYPE | typeof HTML_TYPE

/** Whoever takes neither gets the first: a page is never refused. */
const negotiationOf = (name: PageName): Negotiate<PageType> => {
  const offers: PageType[] = HTML[name] ? [HTML_TYPE, MARKDOWN_TYPE] : [MARKDOWN_TYPE]
  const negotiate = createNegotiation(offers)
  return (accept) => negotiate(accept) ?? offers[0]
}

const mediaTypeOf = (type: PageType): string => `${type}; charset=utf-8`

/** A page's text in one form. `twin` is the same as JSON. */
const textOf = <Name extends PageName>(
  page: { name: Name; type: PageType; twin?: string | undefined },
  data: PageData[Name],
  at: PageAt,
): Rendered => {
  const html = page.type === HTML_TYPE ? HTML[page.name] : undefined
  const text = (html ?? MARKDOWN[page.name])(data, at)
  const { name, twin } = page
  const links = [
    ...(twin === undefined ? [] : [`<${twin}>; rel="alternate"; type="application/json"`]),
    ...(name === 'home' ? [homeLinks()] : []),
  ]
  const link = links.length > 0 ? ['link', links.join(', ')] : []
  return { text, fields: [...link, ...(html ? HTML_FIELDS : [])] }
}

type Place = Pick<PeoplePages, 'baseUrl' | 'unit'>

const atOf = (request: FastifyRequest, { baseUrl, unit }: Place): PageAt => ({
  baseUrl,
  unit,
  params: request.params as Record<string, string>,
})

/** A form sends every field, the empty ones too. */
const withoutEmpty = ({ params, query, url }: PageRequest): PageRequest => {
  const given = Object.entries(query as Query).filter(([, value]) => value !== '')
  return { params, url, query: Object.fromEntries(given) }
}

/** How a request for one page of the API is answered in the form it asks for. */
const createForm = <Name extends Exclude<PageName, 'status' | 'problem' | 'voters'>>(
  name: Name,
  place: Place,
  twinOf: (data: NonNullable<PageData[Name]>, at: PageAt) => string,
) => {
  const negotiate = negotiationOf(name)
  return (request: FastifyRequest): Representation => {
    const type = negotiate(request.headers.accept) ?? MARKDOWN_TYPE
    const at = atOf(request, place)
    return {
      name: `${name} ${type}`,
      isRevised: type === HTML_TYPE,
      mediaType: mediaTypeOf(type),
      render: (json) => {
        const data = JSON.parse(json) as NonNullable<PageData[Name]>
        return textOf({ name, type, twin: twinOf(data, at) }, data, at)
      },
    }
  }
}

const operationsOf = (options: PeoplePages): Record<string, PageOperation> => {
  const { baseUrl } = options
  const home = createHome(options)
  const proposals = createProposalWishes(options)
  const others = createPoolAndVoterWishes(options)
  const self = (data: { links: { self: string } }) => data.links.self
  return {
    homePage: {
      path: '/',
      wish: () => ({ kind: home }),
      form: createForm('home', options, () => `${baseUrl}/api/proposals`),
    },
    proposalsPage: {
      path: '/proposals',
      wish: (request) => proposals.listProposals(withoutEmpty(request)),
      form: createForm('proposals', options, self),
    },
    proposalPage: {
      path: '/proposals/:proposalId',
      wish: proposals.getProposalPage,
      form: createForm(
        'proposal',
        options,
        ({ proposalId }) => `${baseUrl}/api/proposals/${proposalId}`,
      ),
    },
    poolsPage: {
      path: '/pools',
      wish: others.listPools,
      form: createForm('pools', options, self),
    },
    poolPage: {
      path: '/pools/:operatorAddress',
      wish: others.listPoolVotes,
      form: createForm('pool', options, self),
    },
    voterPage: {
      path: '/voters/:address',
      wish: others.listVoterVotes,
      form: createForm('voter', options, self),
    },
  }
}

type Unstored = { text: Rendered; type: PageType; status: number }

/** For what is not to be kept: problems, the status, the front page while nothing can be read. */
const sendUnstored = (
  { text, type, status }: Unstored,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  reply.code(status).headers({ ...commonHeaders(request), 'cache-control': 'no-store' })
  for (let at = 0; at < text.fields.length; at += 2) {
    reply.header(text.fields[at] ?? '', text.fields[at + 1])
  }
  return reply.header('content-type', mediaTypeOf(type)).send(text.text)
}

const PROBLEM_TYPES = ['application/problem+json', 'application/json'] as const

/** As a page for people, unless it is the problem document that is asked for. */
const addProblemPages = (app: FastifyInstance, options: PeoplePages): void => {
  const { problems, baseUrl } = options
  const offers = HTML.problem
    ? ([HTML_TYPE, MARKDOWN_TYPE, ...PROBLEM_TYPES] as const)
    : ([MARKDOWN_TYPE, ...PROBLEM_TYPES] as const)
  const negotiate = createNegotiation<PageType | (typeof PROBLEM_TYPES)[number]>(offers)
  const page = (problem: ApiProblem, type: PageType, request: FastifyRequest): Unstored => {
    const { status } = PROBLEMS[problem.code]
    const at = atOf(request, options)
    const isFrontPage = request.routeOptions.config.operation === 'homePage' && status === 503
    if (isFrontPage) return { text: textOf({ name: 'home', type }, null, at), type, status: 200 }
    const body = problemBody(problem, { baseUrl, requestId: request.id })
    return { text: textOf({ name: 'problem', type }, body, at), type, status }
  }
  app.setErrorHandler((error, request, reply) => {
    const type = negotiate(request.headers.accept) ?? offers[0]
    if (type !== HTML_TYPE && type !== MARKDOWN_TYPE) {
      return sendProblem(error, { request, reply }, problems)
    }
    const problem = noteProblem(error, request, problems)
    reply.headers(problem.headers)
    return sendUnstored(page(problem, type, request), request, reply)
  })
}

/** The form of the look-up has no script: the address it is given leads on from here. */
const addVotersPage = (app: FastifyInstance, options: PeoplePages): void => {
  const { metrics, baseUrl } = options
  const negotiate = negotiationOf('voters')
  const answered = metrics.answers('votersPage')
  app.get('/voters', { config: { operation: 'votersPage' } }, (request, reply) => {
    const { address } = request.query as Record<string, unknown>
    const found = lookUp(typeof address === 'string' ? address : '')
    if ('path' in found) {
      answered(303)
      return reply
        .code(303)
        .headers({ ...commonHeaders(request), location: baseUrl + found.path })
        .header('cache-control', 'no-store')
        .send()
    }
    const type = negotiate(request.headers.accept) ?? MARKDOWN_TYPE
    const status = found.problem === null ? 200 : 400
    answered(status)
    const text = textOf({ name: 'voters', type }, found, atOf(request, options))
    return sendUnstored({ text, type, status }, request, reply)
  })
}

const addStatusPage = (app: FastifyInstance, options: PeoplePages): void => {
  const { state, version, baseUrl, metrics } = options
  const negotiate = negotiationOf('status')
  const answered = metrics.answers('statusPage')
  app.get('/status', { config: { operation: 'statusPage' } }, (request, reply) => {
    answered(200)
    const type = negotiate(request.headers.accept) ?? MARKDOWN_TYPE
    const page = { name: 'status', type, twin: `${baseUrl}/api/health` } as const
    const health = healthOf(state.current(), state.freshness(), { version, baseUrl })
    const text = textOf(page, health, atOf(request, options))
    return sendUnstored({ text, type, status: 200 }, request, reply)
  })
}

/** In a scope of its own: its problems are pages, too. */
export const addPeoplePages = (app: FastifyInstance, options: PeoplePages): void => {
  void app.register(async (scope) => {
    addProblemPages(scope, options)
    addPageRoutes(scope, options, operationsOf(options))
    addVotersPage(scope, options)
    addStatusPage(scope, options)
  })
}
