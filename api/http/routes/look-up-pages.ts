// Pages that answer an input: the search box of every page, and the form for the address of a voter.
import type { Handler, Route } from '../../../infra/base/http/routes.ts'
import { omitEmptyFields } from '../../pages/page.ts'
import { writeSearch } from '../../pages/search.tsx'
import { writeVoters } from '../../pages/voters.tsx'
import { addressPrefixes } from '../../read/queries/addresses.ts'
import { readOr } from '../../read/reader.ts'
import { lookUpAddress } from '../../resources/address.ts'
import { parseQuery } from '../../resources/parameters.ts'
import { allPools } from '../../resources/pools.ts'
import { proposals } from '../../resources/proposals.ts'
import { type Found, findNamedPage, findPools } from '../../resources/search.ts'
import { createPageContext, sendUncached } from '../page-answers.ts'
import { sendSeeOther } from '../send.ts'
import type { Service } from '../service.ts'

/** The form works without scripts: it redirects to the page of the address. */
const createVotersPage = (options: Service): Route => {
  const { baseUrl, reader } = options
  const lookUp: Handler = async (request, reply) => {
    const { address } = request.query
    const given = typeof address === 'string' ? address : ''
    const client = request.ip
    // The empty form needs them only for its examples.
    const prefixes =
      given === ''
        ? await readOr(reader, addressPrefixes, { client, otherwise: null })
        : (await reader.get(addressPrefixes, client)).body
    const found = lookUpAddress(given, prefixes)
    if ('path' in found) return sendSeeOther(baseUrl + found.path, reply)
    const status = found.problem === null ? 200 : 400
    const at = createPageContext(request, options)
    const document = writeVoters({ ...found, prefixes })
    return sendUncached({ document, status, at }, request, reply)
  }
  return { path: '/voters', operation: 'votersPage', handlers: { GET: lookUp } }
}

/** Redirects to the page that the text names. Otherwise it lists what matches. */
const createSearchPage = (options: Service): Route => {
  const { baseUrl, reader, snapshots } = options
  const search = async (text: string, client: string): Promise<Found | string> => {
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
  const sendResults: Handler = async (request, reply) => {
    const { q = '' } = parseQuery(omitEmptyFields(request.query), ['q'])
    const found = q.trim() === '' ? '/proposals' : await search(q.trim(), request.ip)
    if (typeof found === 'string') return sendSeeOther(baseUrl + found, reply)
    const at = createPageContext(request, options)
    return sendUncached({ document: writeSearch(found, at), status: 200, at }, request, reply)
  }
  return { path: '/search', operation: 'searchPage', handlers: { GET: sendResults } }
}

export const createLookUpPages = (options: Service): Route[] => [
  createVotersPage(options),
  createSearchPage(options),
]
