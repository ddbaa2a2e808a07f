// Queries any module of the chain at one height by path. Requests and responses are the JSON of the REST API.
import { type DescMethod, fromJsonString, toBinary } from '@bufbuild/protobuf'
import { type Answer, isKnown, unavailable } from '../chain/answer.ts'
import { ask } from '../chain/query.ts'
import type { ChainNode } from '../comet/endpoints/node.ts'
import type { ChainSchema } from './chain-schema.ts'
import { decodeResponse } from './message-json.ts'

export type ModuleQuery = {
  /** `/package.Query/Method` */
  query: string
  /** With proto names. */
  request: Readonly<Record<string, unknown>>
}

/** Limit of one response, as JSON. A longer one is not kept. */
const MAX_RESPONSE_BYTES = 64 * 2 ** 10

/** Limit of distinct queries at one height: many submissions in one block must not take hours to read. */
const MAX_QUERIES = 1_024

const encodeRequest = (
  { input }: DescMethod,
  request: ModuleQuery['request'],
): Uint8Array | undefined => {
  try {
    return toBinary(input, fromJsonString(input, JSON.stringify(request)))
  } catch {
    return undefined
  }
}

const queryModule = async (
  node: Pick<ChainNode, 'abciQuery'>,
  { schema, method, query, request }: ModuleQuery & { schema: ChainSchema; method: DescMethod },
  height: number,
): Promise<Answer<Record<string, unknown>>> => {
  const data = encodeRequest(method, request)
  if (!data) return unavailable(`${query} does not take this request`)
  const codec = {
    path: query,
    request: {
      fromPartial: () => data,
      encode: (bytes: Uint8Array) => ({ finish: () => bytes }),
      decode: (bytes: Uint8Array) => bytes,
    },
    response: { decode: (bytes: Uint8Array) => decodeResponse(schema, method.output, bytes) },
  }
  const answer = await ask(node, codec, { height })
  if (!isKnown(answer)) return unavailable(answer.unavailable)
  const bytes = Buffer.byteLength(JSON.stringify(answer.value))
  return bytes <= MAX_RESPONSE_BYTES
    ? answer
    : unavailable(
        `the response to ${query} has ${bytes} bytes, at most ${MAX_RESPONSE_BYTES} are kept`,
      )
}

export type ModuleState = {
  /** Runs each query once. */
  read(schema: ChainSchema, query: ModuleQuery): Promise<Answer<Record<string, unknown>>>
}

export const createModuleState = (
  node: Pick<ChainNode, 'abciQuery'>,
  height: number,
): ModuleState => {
  const answers = new Map<string, Promise<Answer<Record<string, unknown>>>>()
  return {
    read: (schema, query) => {
      const method = schema.method(query.query)
      if (!method) {
        return Promise.resolve(unavailable(`the schema of the chain does not have ${query.query}`))
      }
      const key = JSON.stringify(query)
      const known = answers.get(key)
      if (known) return known
      if (answers.size >= MAX_QUERIES) {
        return Promise.resolve(unavailable('the height exceeds the limit of such queries'))
      }
      const answer = queryModule(node, { ...query, schema, method }, height)
      answers.set(key, answer)
      return answer
    },
  }
}
