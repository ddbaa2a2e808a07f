// The requests that each generated client sends: every operation with JSON, for every proposal and pool of the chain.
import { getJson } from '../process/rollcall-process.ts'

export type ApiRequest = { operationId: string; path: string }

type Operation = {
  operationId: string
  responses: { 200: { content: Record<string, unknown> } }
}
export type Description = { paths: Record<string, { get: Operation }> }

type Page = { items: Readonly<Record<string, unknown>>[] }

/** The voters of one vote are enough. */
const MAX_VOTERS = 20

const listValues = async (url: string, path: string, member: string): Promise<string[]> => {
  const { items } = await getJson<Page>(url, path)
  return items.map((item) => `${item[member]}`)
}

/** The values of the path parameters: a walk over all proposals, pools and light blocks. */
const readPathValues = async (url: string): Promise<Record<string, string[]>> => {
  const pages = await Promise.all(
    [0, 1].map((page) => listValues(url, `/api/proposals?page=${page}`, 'proposalId')),
  )
  const proposalId = pages.flat()
  const voters = await listValues(url, `/api/proposals/${proposalId.at(-1)}/ballots`, 'voter')
  return {
    proposalId,
    operatorAddress: await listValues(url, '/api/pools', 'operatorAddress'),
    address: voters.slice(0, MAX_VOTERS),
    height: await listValues(url, '/api/light-blocks', 'height'),
    hash: [...new Set(await listValues(url, '/api/light-blocks', 'validatorsHash'))],
  }
}

/** One path for each value of the only parameter in it. None for an operation with several of them. */
const listPaths = (template: string, values: Readonly<Record<string, string[]>>): string[] => {
  const [parameter, ...others] = [...template.matchAll(/\{(\w+)\}/g)]
  if (parameter === undefined) return [template]
  if (others.length > 0) return []
  const [inBraces, name = ''] = parameter
  return (values[name] ?? []).map((value) => template.replace(inBraces, encodeURIComponent(value)))
}

/** Only requests that are answered with 200: a proposal without a tally has no proof. */
export const listRequests = async (url: string, api: Description): Promise<ApiRequest[]> => {
  const values = await readPathValues(url)
  const requests: ApiRequest[] = []
  for (const [template, { get }] of Object.entries(api.paths)) {
    const { operationId, responses } = get
    if (!('application/json' in responses[200].content)) continue
    for (const path of listPaths(template, values)) {
      if ((await fetch(url + path)).status === 200) requests.push({ operationId, path })
    }
  }
  return requests
}
