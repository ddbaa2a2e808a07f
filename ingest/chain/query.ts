// Runs one typed ABCI query at a height, lists included. Missing state is a value, an unreachable node an error.

import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import pLimit from 'p-limit'
import type {
  AbciAnswer,
  AbciRequest,
  ChainNode,
  ChainReader,
  Patience,
} from '../comet/endpoints/node.ts'
import { isUnknownQuery } from '../comet/transport/abci-answer.ts'
import '../schema/text.ts'
import {
  type Answer,
  isKnown,
  known,
  type QueryFailure,
  unavailable,
  withoutFailure,
} from './answer.ts'

type Codec<Message> = {
  encode(message: Message): { finish(): Uint8Array }
  decode(bytes: Uint8Array): Message
}
type Requests<Request> = { fromPartial(partial: object): Request } & Codec<Request>

export type Method<Request, Response> = {
  path: string
  request: Requests<Request>
  response: { decode(bytes: Uint8Array): Response }
}

export const explainFailure = (failure: QueryFailure, height: number): string => {
  switch (failure.kind) {
    case 'pruned':
      return `the node has pruned the state of height ${height}: ${failure.log}`
    case 'not_found':
      return `the chain has no such entry at height ${height}: ${failure.log}`
    case 'refused':
      return `the node refused (${failure.codespace} ${failure.code}) at height ${height}: ${failure.log}`
  }
}

const toAnswer = <Response>(
  answer: AbciAnswer,
  at: { path: string; height: number },
  decode: (bytes: Uint8Array) => Response,
): Answer<Response> => {
  if (answer.kind !== 'value') {
    return { unavailable: explainFailure(answer, at.height), failure: answer }
  }
  try {
    return known(decode(answer.value))
  } catch (cause) {
    const why = `the response to ${at.path} at height ${at.height} cannot be decoded`
    return unavailable(`${why}: ${(cause as Error).message}`)
  }
}

const createRequest = <Request, Response>(
  method: Method<Request, Response>,
  { height, ...partial }: { height: number } & Record<string, unknown>,
): AbciRequest => ({
  path: method.path,
  data: method.request.encode(method.request.fromPartial(partial)).finish(),
  height,
})

export const ask = async <Request, Response>(
  node: Pick<ChainNode, 'abciQuery'>,
  method: Method<Request, Response>,
  partial: { height: number } & Record<string, unknown>,
): Promise<Answer<Response>> => {
  const request = createRequest(method, partial)
  return toAnswer(await node.abciQuery(request), request, (bytes) => method.response.decode(bytes))
}

type Paged = { pagination?: { nextKey: Uint8Array } | undefined }

/** Limits of a list over all its pages. No chain has more; a faulty node may return more. */
export type ListLimits = { pages: number; items: number; bytes: number }

const LIST_LIMITS: ListLimits = { pages: 10_000, items: 2_000_000, bytes: 256 * 2 ** 20 }
/** Number of endpoints that may send an invalid list before the value is unavailable. */
const MAX_REFUSALS = 8

type ListMethod<Request, Response, Item> = Method<Request, Response> & {
  items(response: Response): readonly Item[]
  limits?: Partial<ListLimits>
}
type ListNode = Pick<ChainNode, 'abciQuery' | 'refuse'>
type ListRequest = { height: number; maxItems: number } & Record<string, unknown>

/** `refused`: the list is invalid as a whole; `last` is the response that showed it. */
type Listed<Item> = Answer<Item[]> | { refused: string; last: AbciAnswer }

/** Counts the size of a list; returns a reason if it exceeds the limits or repeats a page. */
const createListGuard = (path: string, limits: ListLimits) => {
  const size: ListLimits = { pages: 0, items: 0, bytes: 0 }
  const seen = new Set<string>()
  return (page: { items: number; bytes: number; nextKey: Uint8Array }): string | undefined => {
    size.pages += 1
    size.items += page.items
    size.bytes += page.bytes
    for (const unit of ['pages', 'items', 'bytes'] as const) {
      if (size[unit] > limits[unit]) return `${path} has more than ${limits[unit]} ${unit}`
    }
    const key = Buffer.from(page.nextKey).toString('latin1')
    if (key !== '' && seen.has(key)) return `${path} repeats a page`
    seen.add(key)
    return undefined
  }
}

const readList = async <Request, Response extends Paged, Item>(
  query: (request: AbciRequest, after: AbciAnswer | undefined) => Promise<AbciAnswer>,
  method: ListMethod<Request, Response, Item>,
  { maxItems, ...rest }: ListRequest,
): Promise<Listed<Item>> => {
  const checkPage = createListGuard(method.path, { ...LIST_LIMITS, ...method.limits })
  const all: Item[] = []
  let key = new Uint8Array()
  let before: AbciAnswer | undefined
  for (;;) {
    const pagination = PageRequest.fromPartial({ key, limit: BigInt(maxItems) })
    const request = createRequest(method, { ...rest, pagination })
    const answer = await query(request, before)
    before = answer
    const page = toAnswer(answer, request, (bytes) => method.response.decode(bytes))
    if (!isKnown(page)) return page
    // An empty list still has `pagination`; a node without this state may send no bytes at all.
    const isMissing = answer.kind === 'value' && answer.value.length === 0
    if (isMissing) return { refused: `the response to ${method.path} is empty`, last: answer }
    const items = method.items(page.value)
    const nextKey = page.value.pagination?.nextKey ?? new Uint8Array()
    const bytes = answer.kind === 'value' ? answer.value.length : 0
    const refused = checkPage({ items: items.length, bytes, nextKey })
    if (refused !== undefined) return { refused, last: answer }
    for (const item of items) all.push(item)
    if (nextKey.length === 0) return known(all)
    key = new Uint8Array(nextKey)
  }
}

/**
 * Joins every page: all of them or none. `maxItems` per page is a request; a node may return fewer. An
 * endless or too large list is refused and its endpoint is blamed. The next endpoint is asked for the whole
 * list.
 */
export const askAll = async <Request, Response extends Paged, Item>(
  node: ListNode,
  method: ListMethod<Request, Response, Item>,
  request: ListRequest,
): Promise<Answer<Item[]>> => {
  const avoid: AbciAnswer[] = []
  for (;;) {
    const listed = await readList(
      (each, after) => node.abciQuery(each, { avoid, after }),
      method,
      request,
    )
    if (!('refused' in listed)) return listed
    const { refused, last } = listed
    avoid.push(last)
    const hasOther = node.refuse?.(avoid, refused) ?? false
    if (!hasOther || avoid.length >= MAX_REFUSALS) return unavailable(refused)
  }
}

/** The node does not have this method: its SDK is older than the method. */
export const isUnknownMethod = (answer: Answer<unknown>): boolean =>
  !isKnown(answer) && answer.failure !== undefined && isUnknownQuery(answer.failure)

/** Of a module that only some chains have: undefined without its method. Events contain only the reason of a failure. */
export const askModule = async <Request, Response extends NonNullable<unknown>>(
  node: Pick<ChainNode, 'abciQuery'>,
  method: Method<Request, Response>,
  partial: { height: number } & Record<string, unknown>,
): Promise<Answer<Response> | Answer<undefined>> => {
  const answer = await ask(node, method, partial)
  return isUnknownMethod(answer) ? known(undefined) : withoutFailure(answer)
}

export type RetriedNodeOptions = {
  /** How long each read is repeated; by default until it succeeds, so that an outage delays events and loses none. */
  budgetMs?: number
  signal: AbortSignal
  /** Limit of concurrent queries; further queries wait. */
  maxConcurrentQueries: number
}

export function createRetriedNode(
  node: ChainReader,
  { maxConcurrentQueries, budgetMs = Number.POSITIVE_INFINITY, signal }: RetriedNodeOptions,
): ChainReader {
  const limited = pLimit(maxConcurrentQueries)
  const patience: Patience = { budgetMs, signal }
  return {
    chainId: node.chainId,
    status: () => node.status(patience),
    block: (height, options) => node.block(height, { ...patience, ...options }),
    header: (height) => node.header(height, patience),
    searchTxs: (query) => node.searchTxs(query, patience),
    abciQuery: (request, options) =>
      limited(() => node.abciQuery(request, { ...patience, ...options })),
    refuse: (answers, reason) => node.refuse?.(answers, reason) ?? false,
  }
}
