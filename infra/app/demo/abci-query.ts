// `abci_query` of the replayed chain: a gRPC path at a height, with the error messages of a real node.
import { type AbciRequest, type AbciResponse, toAbciResponse } from '../chain/served-chain.ts'
import { GOV_QUERIES, type Query } from './gov-queries.ts'
import { readFields } from './protobuf.ts'
import { STORE_PATH } from './recorded-proofs.ts'
import type { Recording } from './recording.ts'
import { QueryRefusal, refuse, refusePlainly } from './refusal.ts'
import { STAKING_QUERIES } from './staking-queries.ts'
import { answerKey } from './state-changes.ts'

const QUERIES = new Map(Object.entries({ ...GOV_QUERIES, ...STAKING_QUERIES }))

const FILE_DESCRIPTORS = '/cosmos.reflection.v1.ReflectionService/FileDescriptors'
const APP_VERSION = '/app/version'

function refused(error: unknown, height: number): AbciResponse {
  if (error instanceof QueryRefusal) {
    return toAbciResponse({
      code: error.code,
      log: error.message,
      codespace: 'sdk',
      height: `${height}`,
    })
  }
  // A truncated request: the decoder of the chain reports no more than this.
  if (error instanceof RangeError) {
    const log = `${error.message}: invalid request`
    return toAbciResponse({ code: 18, log, codespace: 'sdk', height: `${height}` })
  }
  throw error
}

function requireHeight(request: AbciRequest, tip: number): number {
  if (request.height < 0n) {
    refusePlainly('invalid', 'cannot query with height < 0; please provide a valid height')
  }
  if (request.height > BigInt(tip)) {
    refusePlainly('height', 'cannot query with height in the future; please provide a valid height')
  }
  if (request.height === 1n && request.prove) {
    refusePlainly(
      'invalid',
      'cannot query with proof when height <= 1; please provide a valid height',
    )
  }
  return request.height === 0n ? tip : Number(request.height)
}

/** The recorded response. A key is recorded with its proof at the heights where its value changed. */
function answerFromStore(request: AbciRequest, recording: Recording, tip: number): AbciResponse {
  const height = requireHeight(request, tip)
  const recorded = recording.proofs()?.storeAnswer(height, request.data)
  if (recorded === undefined) return refusePlainly('unknown', 'the recording has no such proof')
  return JSON.parse(recorded)
}

/** A query whose answers are recorded as they are. */
function findRecordedQuery({ path, data }: AbciRequest, recording: Recording): Query | undefined {
  const key = answerKey(path, data)
  if (!recording.history.has('answer', key)) return undefined
  return (_request, state) =>
    state.get('answer', key) ?? refuse('missing', 'the recorded chain refused it at this height')
}

/** A recording without the schema acts as a chain without the reflection service. */
function findQuery(request: AbciRequest, recording: Recording): Query | undefined {
  const { path } = request
  if (path !== FILE_DESCRIPTORS) return QUERIES.get(path) ?? findRecordedQuery(request, recording)
  const schema = recording.schema()
  return schema && (() => schema)
}

/** Not a query of a module: the chain reads no state, accepts any height and never responds null. */
function answerVersion(version: string, { height }: AbciRequest, tip: number): AbciResponse {
  const value = Buffer.from(version).toString('base64')
  return toAbciResponse({ value, codespace: 'sdk', height: String(height === 0n ? tip : height) })
}

export function answerQuery(
  request: AbciRequest,
  chain: { recording: Recording; tip: number },
): AbciResponse {
  const { history, manifest } = chain.recording
  if (request.path === APP_VERSION && manifest.appVersion !== undefined) {
    return answerVersion(manifest.appVersion, request, chain.tip)
  }
  const query = findQuery(request, chain.recording)
  let height = 0
  try {
    if (request.path === STORE_PATH && request.prove) {
      return answerFromStore(request, chain.recording, chain.tip)
    }
    if (!query) return refusePlainly('unknown', 'unknown query path')
    height = requireHeight(request, chain.tip)
    const value = query(readFields(request.data), history.at(height))
    return toAbciResponse({
      value: value.length > 0 ? Buffer.from(value).toString('base64') : null,
      height: String(height),
    })
  } catch (error) {
    return refused(error, height)
  }
}
