// Routes of all resources: parse the request, choose the form, redirect to the canonical URL, respond.
import type { Handler, Request, Route } from '../../../infra/base/http/routes.ts'
import { ApiProblem } from '../../read/problems.ts'
import type { RequestParser, ResourceRequest } from '../../resources/operation.ts'
import { ITEMS, LISTS } from '../../resources/operations.ts'
import { createOwnAddresses, toOwnAddresses } from '../../resources/own-addresses.ts'
import { createJsonForm, createListForms } from '../list-forms.ts'
import type { AnswerForm } from '../responder.ts'
import {
  findCanonicalLocation,
  replaceInQuery,
  SeeOther,
  sendFinished,
  sendMoved,
  sendSeeOther,
} from '../send.ts'
import type { Service } from '../service.ts'

/** A path with its request parser and its forms. Both functions throw `ApiProblem`. */
export type ResourceRoute<Body> = {
  operationId: string
  path: string
  parseRequest: RequestParser<Body>['parseRequest']
  form: (request: Request, parsed: Pick<ResourceRequest<Body>, 'format'>) => AnswerForm<Body>
}

/** The same URL with the address that the problem names. */
const withSuggestion = (error: unknown, { url, params }: Request): unknown => {
  if (!(error instanceof ApiProblem) || error.instead === undefined) return error
  const { code, message, instead, errors } = error
  const { parameter, value } = instead
  const suggested = Object.hasOwn(params, parameter)
    ? findCanonicalLocation(url, params, { ...params, [parameter]: value })
    : replaceInQuery(url, parameter, value)
  return suggested === undefined
    ? error
    : new ApiProblem(code, message, { ...(errors && { errors }), instead, links: { suggested } })
}

export const createResourceRoute = <Body>(
  { responder, reader, baseUrl }: Service,
  { operationId: operation, path, parseRequest, form: chooseForm }: ResourceRoute<Body>,
): Route => {
  const respond: Handler = async (request, reply) => {
    const own = createOwnAddresses(reader, request.ip)
    const given = await toOwnAddresses(request, own).catch((error: unknown) => {
      throw withSuggestion(error, request)
    })
    const { query, params, format } = parseRequest(given)
    const form = chooseForm(request, { format })
    const location = findCanonicalLocation(request.url, request.params, params)
    if (location !== undefined) return sendMoved(baseUrl + location, reply)
    const { ip: client, url: target } = request
    try {
      const finished = await responder.respond({ query, form, client, operation, target })
      return await sendFinished(finished, request, reply)
    } catch (error) {
      if (error instanceof SeeOther) return sendSeeOther(baseUrl + error.location, reply)
      throw error
    }
  }
  return { path, operation, handlers: { GET: respond } }
}

export const createResourceRoutes = (options: Service): Route[] => {
  const json = createJsonForm()
  const items = ITEMS.map((item) => createResourceRoute(options, { ...item, form: () => json }))
  const lists = LISTS.map((list) => {
    const chooseForm = createListForms(list)
    return createResourceRoute(options, {
      ...list,
      parseRequest: list.parseFormattedRequest,
      form: ({ headers: { accept } }, { format }) => chooseForm({ accept, format }),
    })
  })
  return [...items, ...lists]
}
