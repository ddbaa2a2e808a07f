// The requests that each generated client sends: every operation with JSON, for every proposal and pool of the chain.
import { isJsonObject, type JsonObject } from '../../../ingest/contract/json.ts'
import { getJson } from '../process/rollcall-process.ts'

export type ApiRequest = {
  operationId: string
  tag: string
  /** In the order of the path. */
  params: Record<string, string>
  path: string
  /** The number of items in the JSON; null if it is no list. */
  items: number | null
}

type Parameter = { name: string; in: string; schema: JsonObject }
type Operation = {
  operationId: string
  tags: string[]
  parameters: Parameter[]
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
  const blocks = (await getJson<Page>(url, '/api/light-blocks')).items
  return {
    proposalId,
    operatorAddress: await listValues(url, '/api/pools', 'operatorAddress'),
    address: voters.slice(0, MAX_VOTERS),
    height: blocks.map(({ height }) => `${height}`),
    hash: [...new Set(blocks.map((block) => `${block['validatorsHash']}`))],
  }
}

/** One request for each value of the only path parameter. Null for an operation with several of them. */
const listArguments = (
  names: readonly string[],
  values: Readonly<Record<string, string[]>>,
): Record<string, string>[] | null => {
  const [name, ...others] = names
  if (name === undefined) return [{}]
  if (others.length > 0) return null
  return (values[name] ?? []).map((value) => ({ [name]: value }))
}

const formatPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

const countItems = (body: unknown): number | null =>
  isJsonObject(body) && Array.isArray(body['items']) ? body['items'].length : null

/** Only requests that are answered with 200: a proposal without a tally has no proof. */
export const listRequests = async (url: string, api: Description): Promise<ApiRequest[]> => {
  const values = await readPathValues(url)
  const requests: ApiRequest[] = []
  for (const [path, { get }] of Object.entries(api.paths)) {
    const { operationId, tags, parameters, responses } = get
    if (!('application/json' in responses[200].content)) continue
    const names = parameters.filter((each) => each.in === 'path').map(({ name }) => name)
    for (const params of listArguments(names, values) ?? []) {
      const target = formatPath(path, params)
      const response = await fetch(url + target)
      const body: unknown = await response.json()
      if (response.status !== 200) continue
      requests.push({
        operationId,
        tag: tags[0] ?? '',
        params,
        path: target,
        items: countItems(body),
      })
    }
  }
  return requests
}
