// Requests every response of the API over the recorded chain of the tests: all pages of all lists, in every format, and errors.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { PROBLEMS } from '../../api/read/problems.ts'
import { LISTS } from '../../api/resources/operations.ts'
import { formatPath } from '../../api/resources/path-parameters.ts'
import type { createMcpRig } from '../support/api/mcp-rig.ts'

type Rig = Awaited<ReturnType<typeof createMcpRig>>
type Answered = { status: number; headers: Record<string, string | undefined>; text: string }
export type Line = { request: string; status: number; headers: object; body: string }

/** By the value of `Accept`. */
const REQUESTS: Readonly<Record<string, readonly string[]>> = parse(
  readFileSync(new URL('requests.yaml', import.meta.url), 'utf8'),
)

const JSON_FORM = 'application/json'
const ROW_FORMS = ['text/csv', 'application/x-ndjson']
const PAGE_FORMS = ['text/html', 'text/markdown']
const VOTERS = 40
const ROUNDS = ['', '?round=1', '?round=2', '?round=3']
export const PROPOSAL_LISTS = LISTS.filter(({ path }) =>
  path.startsWith('/api/proposals/:proposalId/'),
)
const NOT_RECORDED = [
  // They say what the service does at the moment, so they differ between two runs.
  '/api/health',
  '/api/stream',
  // Its files have the bytes of one version of ClickHouse.
  '/api/data',
  // No message of the demo chain has a field that is long enough; only the error is recorded.
  '/api/proposals/{proposalId}/messages/{message}/bytes',
]

/** Header fields that differ between two runs of the same code: request ids and the rest of a quota. */
const withoutRequest = ({ headers, text, status }: Answered): Omit<Line, 'request'> => {
  const {
    'x-request-id': id,
    ratelimit: _limit,
    date: _date,
    'content-length': _length,
    ...rest
  } = headers
  const body = id === undefined ? text : text.replaceAll(id, 'ID')
  return { status, headers: rest, body }
}

/** Paths of the OpenAPI description without a recorded response of status 200. */
const findUnasked = (openApi: string, asked: ReadonlySet<string>): string[] => {
  const { paths }: { paths: object } = JSON.parse(openApi)
  return Object.keys(paths).filter((template) => {
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    return !NOT_RECORDED.includes(template) && ![...asked].some((path) => pattern.test(path))
  })
}

/** The configuration with which every response is recorded. */
export const RECORDED_CONFIG = {
  rateLimitPerMinute: 1_000_000,
  baseUrl: 'https://rollcall.example',
}

/** One line per request. Throws if an operation of the API is missing. */
export const recordAnswers = async (rig: Rig): Promise<Map<string, string>> => {
  const lines = new Map<string, string>()
  const asked = new Set<string>()
  const note = (request: string, answer: Answered): Answered => {
    lines.set(request, JSON.stringify({ request, ...withoutRequest(answer) }))
    return answer
  }
  const get = async (url: string, accept = JSON_FORM, encoding = 'identity') => {
    const headers = { accept, 'accept-encoding': encoding }
    const answer = await rig.ask(url, { headers })
    if (answer.status === 200) asked.add(url.split('?')[0] ?? '')
    if (encoding === 'identity') return note(`${accept} ${url}`, answer)
    const text = createHash('sha256').update(answer.bytes).digest('hex')
    return note(`${accept} ${encoding} ${url}`, { ...answer, text })
  }
  const local = (url: string) => url.replace('https://rollcall.example', '')
  /** Follows `links.next` and the other cursors, and requests every page in each format. */
  // biome-ignore lint/suspicious/noExplicitAny: items of all lists
  const walk = async (first: string): Promise<any[]> => {
    const items: unknown[] = []
    const cursors: string[] = []
    const [path = ''] = first.split('?')
    let next: string | null = first
    while (next !== null) {
      const answer = await get(next)
      if (answer.status !== 200) return items
      for (const form of ROW_FORMS) await get(next, form)
      const list = JSON.parse(answer.text)
      items.push(...list.items)
      if (list.page.nextCursor) cursors.push(list.page.nextCursor)
      next = list.links.next === null ? null : local(list.links.next)
    }
    for (const cursor of cursors) {
      const query = new URLSearchParams(first.split('?')[1] ?? '')
      query.delete('page')
      query.append('cursor', cursor)
      await get(`${path}?${query}`)
    }
    return items
  }
  const pages = async (...urls: string[]) => {
    for (const url of urls) for (const form of PAGE_FORMS) await get(url, form)
  }

  const proposals = await walk('/api/proposals')
  for (const status of ['passed', 'rejected', 'failed', 'voting_period', 'passed,rejected']) {
    await walk(`/api/proposals?status=${status}`)
    await pages(`/proposals?status=${status}`)
  }
  await walk('/api/proposals?q=a')
  await walk(`/api/proposals?proposer=${proposals[0].proposer}`)
  const first = proposals.at(-1).proposalId
  const voters = new Set<string>()
  for (const { proposalId: id } of proposals) {
    const api = `/api/proposals/${id}`
    await get(api)
    await get(api, JSON_FORM, 'br')
    for (const { path, queryParameters } of PROPOSAL_LISTS) {
      for (const round of queryParameters.includes('round') ? ROUNDS : ['']) {
        const items = await walk(formatPath<string>(path, { proposalId: id }) + round)
        if (path.endsWith('/ballots')) for (const { voter } of items) voters.add(voter)
        if (path.endsWith('/events'))
          await get(`${api}/events/${items[0].height}/${items[0].index}`)
      }
    }
    for (const query of ['option=yes', 'option=no_with_veto', 'sort=power']) {
      await get(`${api}/ballots?${query}`)
    }
    for (const round of ROUNDS) {
      await get(`${api}/proof${round}`)
      await pages(`/proposals/${id}${round}`)
    }
    await walk(`${api}/votes?sort=power`)
    await pages(`/proposals/${id}/ballots`)
    await walk(`${api}/votes?voted=true`)
    await walk(`${api}/votes?voted=false`)
    await get(`${api}/votes?page=99`)
    await get(`${api}/votes?page=0`, JSON_FORM, 'gzip')
  }
  for (const { height, validatorsHash } of await walk('/api/light-blocks')) {
    await get(`/api/light-blocks/${height}`)
    await get(`/api/validators/${validatorsHash}`)
  }
  for (const pool of await walk('/api/pools')) {
    await walk(`/api/pools/${pool.operatorAddress}/votes`)
    await pages(`/pools/${pool.operatorAddress}`)
    await get(`/api/proposals/${first}/ballots?delegatedTo=${pool.operatorAddress}`)
    await get(`/api/votes?pools=${encodeURIComponent(pool.moniker)}`)
  }
  await walk('/api/votes?pools=bonded')
  for (const voter of [...voters].slice(0, VOTERS)) {
    await walk(`/api/voters/${voter}/votes`)
    await pages(`/voters/${voter}`)
  }
  const [someone = ''] = voters
  const typo = someone.slice(0, -1) + (someone.endsWith('q') ? 'p' : 'q')
  await pages(`/proposals?proposer=${someone}`)
  await get(`/api/voters/${typo}/votes`)
  await pages(`/search?q=${typo}`)
  for (const code of Object.keys(PROBLEMS)) await get(`/problems/${code}`)
  for (const [accept, urls] of Object.entries(REQUESTS))
    for (const url of urls) await get(url, accept)

  const rpc = async (method: string, params: unknown) => {
    const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    note(request, await rig.post(request))
  }
  for (const list of ['tools/list', 'resources/list', 'prompts/list', 'resources/templates/list']) {
    await rpc(list, {})
  }
  const call = (name: string, args: object) => rpc('tools/call', { name, arguments: args })
  const [pool] = JSON.parse((await get('/api/pools')).text).items
  await pages(`/proposals/${first}/ballots?delegatedTo=${pool.operatorAddress}&option=&sort=`)
  await call('list_proposals', { status: 'passed' })
  await call('list_proposals', { page: 1 })
  await call('list_proposals', { page: 'x', other: 1 })
  await call('list_pool_votes', { operatorAddress: pool.operatorAddress })
  await call('get_proposal', { proposalId: '99999' })
  await call('get_proposal_proof', { proposalId: '1', round: -1 })
  for (const query of [`how did ${pool.moniker} vote on proposal 1?`, '#1', 'nothing of this']) {
    await call('search', { query })
  }
  for (const id of ['proposal:1', `validator:${pool.operatorAddress}`, 'proposal:999999', 'x']) {
    await call('fetch', { id })
  }
  await rpc('prompts/get', { name: 'how_did_pool_vote', arguments: { pool: pool.moniker } })
  await rpc('prompts/get', { name: 'explain_proposal', arguments: { proposalId: '1' } })
  await rpc('prompts/get', { name: 'explain_proposal', arguments: { proposalId: 'x' } })
  for (const method of ['nothing', 'logging/setLevel', 'initialize']) await rpc(method, {})
  for (const uri of ['proposals://99999', 'file:///etc/passwd', 'proposals://1/votes?page=x']) {
    await rpc('resources/read', { uri })
  }
  await rpc('resources/list', { cursor: 'abc' })
  for (const { proposalId } of proposals) {
    await call('get_proposal', { proposalId })
    await call('list_proposal_votes', { proposalId, page: 0 })
    await rpc('resources/read', { uri: `proposals://${proposalId}` })
    await rpc('resources/read', { uri: `proposals://${proposalId}/votes?page=0` })
  }
  const unasked = findUnasked((await rig.ask('/openapi.json')).text, asked)
  if (unasked.length > 0) throw new Error(`not recorded: ${unasked.join(', ')}`)
  return lines
}
