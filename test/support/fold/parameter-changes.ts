// Messages that change parameters, the observed current parameters, and the expected result, for tests.
import { expect } from 'vitest'

type Observed = {
  query: string
  request?: Record<string, unknown>
  response: unknown
  reason?: string
}

export const createContext = (...observations: Observed[]) =>
  observations.map(({ query, request = {}, response, reason = null }) => ({
    query,
    request,
    response: response as Record<string, unknown> | null,
    reason,
  }))

const GOV = '/cosmos.gov.v1.MsgUpdateParams'
export const govParams = (params: unknown) => ({
  query: '/cosmos.gov.v1.Query/Params',
  response: { params },
})
export const update = (params: unknown, type = GOV) => ({ '@type': type, authority: 'gov', params })

export const changed = (message: number, path: string, from: unknown, to: unknown) => ({
  message,
  path,
  from,
  to,
})
export const only = (...changes: ReturnType<typeof changed>[]) => ({ changes, reason: null })
export const unknown = (reason: string | RegExp) => ({
  changes: null,
  reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
})
