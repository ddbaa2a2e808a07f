// One typed ABCI query at a height, whole lists included. Gone state is an answer, an unreachable node an error.
import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import type { AbciAnswer, ChainNode } from '../comet/node.ts'
import { type Answer, known, unavailable } from './answer.ts'

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

type QueryFailure = Exclude<AbciAnswer, { kind: 'value' }>
export type Queried<Value> =
  | { value: Value }
  | { unavailable: string; failure: QueryFailure | null }

const explain = (failure: QueryFailure, height: number): string => {
  switch (failure.kind) {
    case 'pruned':
      return `the node has pruned the state of height ${height}: ${failure.log}`
    case 'not_found':
      return `the chain has no such entry at height ${height}: ${failure.log}`
    case 'refused':
      return `the node refused (${failure.codespace} ${failure.code}) at height ${height}: ${failure.log}`
  }
}

const outcomeOf = <Response>(
  answer: AbciAnswer,
  at: { path: string; height: number },
  decode: (bytes: Uint8Array) => Response,
): Queried<Response> => {
  if (answer.kind !== 'value') {
    return { unavailable: explain(answer, at.height), failure: answer }
  }
  try {
    return known(decode(answer.value))
  } catch (cause) {
    const why = `the answer to ${at.path} at height ${at.height} cannot be read`
    return { ...unavailable(`${why}: ${(cause as Error).message}`), failure: null }
  }
}

export const ask = async <Request, Response>(
  node: Pick<ChainNode, 'abciQuery'>,
  method: Method<Request, Response>,
  { height, ...partial }: { height: number } & Record<string, unknown>,
): Promise<Queried<Response>> => {
  const data = method.request.encode(method.request.fromPartial(partial)).finish()
  const answer = await node.abciQuery({ path: method.path, data, height })
  return outcomeOf(answer, { path: method.path, height }, (bytes) => method.response.decode(bytes))
}

type Paged = { pagination?: { nextKey: Uint8Array } | undefined }

/** Every page, joined: all of it or none. `maxItems` a page is a wish; a node may give fewer. */
export const askAll = async <Request, Response extends Paged, Item>(
  node: Pick<ChainNode, 'abciQuery'>,
  method: Method<Request, Response> & { items(response: Response): readonly Item[] },
  { maxItems, ...request }: { height: number; maxItems: number } & Record<string, unknown>,
): Promise<Queried<Item[]>> => {
  const items: Item[] = []
  let key = new Uint8Array()
  for (;;) {
    const pagination = PageRequest.fromPartial({ key, limit: BigInt(maxItems) })
    const page = await ask(node, method, { ...request, pagination })
    if (!('value' in page)) return page
    items.push(...method.items(page.value))
    const next = page.value.pagination?.nextKey ?? new Uint8Array()
    if (next.length === 0) return known(items)
    if (Buffer.compare(next, key) === 0) {
      return { ...unavailable(`${method.path} pages in a circle`), failure: null }
    }
    key = new Uint8Array(next)
  }
}

/** Unknown method: an SDK before the one that brought it. */
export const isUnknownMethod = (answer: Queried<unknown>): boolean =>
  'failure' in answer &&
  answer.failure?.kind === 'refused' &&
  /unknown query path|unknown service|unknown method|unimplemented|not implemented/i.test(
    answer.failure.log,
  )

/** Without what only the era's fallback needs to know. */
export const plainAnswer = <Value>(queried: Queried<Value>): Answer<Value> =>
  'value' in queried ? queried : unavailable(queried.unavailable)
