// Routes of all resources: parse the request, choose the form, redirect to the canonical URL, respond.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ApiMetrics } from '../../api-metrics.ts'
import { addressPrefixes } from '../../read/queries/address-prefixes.ts'
import type { Reader } from '../../read/reader.ts'
import { withoutHexAddresses } from '../../resources/hex-addresses.ts'
import type { RequestParser } from '../../resources/operation.ts'
import { ITEMS, LISTS } from '../../resources/operations.ts'
import type { RawQuery } from '../../resources/parameters.ts'
import { findCanonicalLocation } from '../canonical-id.ts'
import { createJsonForm, createListForms } from '../list-forms.ts'
import type { Form, Responder } from '../responder.ts'
import { sendMoved, sendResponse } from '../send.ts'

export type ResourceRoutes = { responder: Responder; reader: Reader; metrics: ApiMetrics }

type Raw = { Params: Record<string, string>; Querystring: RawQuery }

/** A path with its request parser and its forms. Both functions throw `ApiProblem`. */
export type Route<Body> = {
  operationId: string
  path: string
  parseRequest: RequestParser<Body>['parseRequest']
  form: (request: FastifyRequest<Raw>) => Form<Body>
}

export const addResourceRoute = <Body>(
  app: FastifyInstance,
  { responder, reader, metrics }: ResourceRoutes,
  { operationId, path, parseRequest, form: chooseForm }: Route<Body>,
): void => {
  const count = metrics.answers(operationId)
  app.get<Raw>(path, { config: { operation: operationId } }, async (request, reply) => {
    const readPrefixes = async () => (await reader.get(addressPrefixes, request.ip)).body
    const given = await withoutHexAddresses(request, readPrefixes)
    const { query, params } = parseRequest(given)
    const form = chooseForm(request)
    const location = findCanonicalLocation(request.url, request.params, params)
    if (location !== undefined) {
      count(308)
      return sendMoved(location, request, reply)
    }
    const finished = await responder.respond({ query, form, client: request.ip, count })
    count(sendResponse(finished, request, reply))
    return reply
  })
}

export const addResources = (app: FastifyInstance, options: ResourceRoutes): void => {
  const json = createJsonForm()
  for (const item of ITEMS) addResourceRoute(app, options, { ...item, form: () => json })
  for (const list of LISTS) {
    const chooseForm = createListForms(list)
    addResourceRoute(app, options, { ...list, form: ({ headers }) => chooseForm(headers.accept) })
  }
}
