// Pages that answer an input: the search box of every page, and the form for the address of a voter.
import type { FastifyInstance } from 'fastify'
import { addressPrefixes } from '../../read/queries/address-prefixes.ts'
import { lookUpAddress } from '../../resources/address.ts'
import type { PageData } from '../../resources/page-data.ts'
import { parseQuery, type RawQuery } from '../../resources/parameters.ts'
import { allPools } from '../../resources/pools.ts'
import { proposals } from '../../resources/proposals.ts'
import { findNamedPage, findPools } from '../../resources/search.ts'
import {
  choosePageType,
  createPageContext,
  omitEmptyFields,
  type PageRouteOptions,
  type Raw,
  renderPage,
  sendSeeOther,
  sendUncached,
} from '../page-answers.ts'

/** The form works without scripts: it redirects to the page of the address. */
const addVotersPage = (app: FastifyInstance, options: PageRouteOptions): void => {
  const { metrics, baseUrl, reader } = options
  const count = metrics.answers('votersPage')
  const config = { operation: 'votersPage' }
  type Given = Raw & { Querystring: { address?: unknown } }
  /** The empty form needs them only for its examples, and exists without data too. */
  const readPrefixes = async (client: string, isRequired: boolean) => {
    try {
      return (await reader.get(addressPrefixes, client)).body
    } catch (error) {
      if (isRequired) throw error
      return null
    }
  }
  app.get<Given>('/voters', { config }, async (request, reply) => {
    const { address } = request.query
    const given = typeof address === 'string' ? address : ''
    const prefixes = await readPrefixes(request.ip, given !== '')
    const found = lookUpAddress(given, prefixes)
    if ('path' in found) {
      count(303)
      return sendSeeOther(baseUrl + found.path, request, reply)
    }
    const type = choosePageType(request)
    const status = found.problem === null ? 200 : 400
    count(status)
    const data = { ...found, prefixes }
    const text = renderPage({ name: 'voters', type }, data, createPageContext(request, options))
    return sendUncached({ text, type, status }, request, reply)
  })
}

/** Redirects to the page that the text names. Otherwise it lists what matches. */
const addSearchPage = (app: FastifyInstance, options: PageRouteOptions): void => {
  const { metrics, baseUrl, reader, snapshots } = options
  const count = metrics.answers('searchPage')
  const config = { operation: 'searchPage' }
  const search = async (text: string, client: string): Promise<PageData['search'] | string> => {
    const [prefixes, pools] = await Promise.all([
      reader.get(addressPrefixes, client),
      reader.get(allPools, client),
    ])
    const named = findNamedPage(text, {
      prefixes: prefixes.body,
      pools: pools.body,
      hasProposal: (id) => snapshots.current()?.watermarks.has(id) ?? false,
    })
    if (named !== undefined) return named
    const { body } = await reader.get(proposals.query({ q: text }), client)
    return { text, ...findPools(pools.body, text), proposals: body }
  }
  type Given = Raw & { Querystring: RawQuery }
  app.get<Given>('/search', { config }, async (request, reply) => {
    const { q = '' } = parseQuery(omitEmptyFields(request.query), ['q'])
    const found = q.trim() === '' ? '/proposals' : await search(q.trim(), request.ip)
    if (typeof found === 'string') {
      count(303)
      return sendSeeOther(baseUrl + found, request, reply)
    }
    count(200)
    const type = choosePageType(request)
    const jsonUrl = found.proposals.links.self
    const text = renderPage(
      { name: 'search', type, jsonUrl },
      found,
      createPageContext(request, options),
    )
    return sendUncached({ text, type, status: 200 }, request, reply)
  })
}

export const addLookUpPages = (app: FastifyInstance, options: PageRouteOptions): void => {
  addVotersPage(app, options)
  addSearchPage(app, options)
}
