// The queries that the recorded chain answers: those of its modules from its state, others with recorded responses.
import { GOV_QUERIES } from '../chain/gov-queries.ts'
import {
  type AbciRequest,
  type AbciResponse,
  answerQuery,
  type Query,
  refuse,
  refusePlainly,
  requireHeight,
  toAbciResponse,
  toRefused,
} from '../chain/query.ts'
import { STAKING_QUERIES } from '../chain/staking-queries.ts'
import { answerKey } from '../chain/state.ts'
import { type Recording, STORE_PATH } from './recording.ts'

const QUERIES: ReadonlyMap<string, Query> = new Map(
  [GOV_QUERIES, STAKING_QUERIES].flatMap((queries) => Object.entries(queries)),
)

const FILE_DESCRIPTORS = '/cosmos.reflection.v1.ReflectionService/FileDescriptors'
const APP_VERSION = '/app/version'

/** The recorded response. A key is recorded with its proof at the heights where its value changed. */
function answerFromStore(request: AbciRequest, recording: Recording, tip: number): AbciResponse {
  try {
    const height = requireHeight(request, tip)
    const recorded = recording.proofs()?.storeAnswer(height, request.data)
    if (recorded === undefined) return refusePlainly('unknown', 'the recording has no such proof')
    return JSON.parse(recorded)
  } catch (error) {
    return toRefused(error, 0)
  }
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

export function answerFromRecording(
  request: AbciRequest,
  { recording, tip }: { recording: Recording; tip: number },
): AbciResponse {
  const { history, manifest } = recording
  if (request.path === APP_VERSION && manifest.appVersion !== undefined) {
    return answerVersion(manifest.appVersion, request, tip)
  }
  if (request.path === STORE_PATH && request.prove) return answerFromStore(request, recording, tip)
  return answerQuery(request, {
    tip,
    stateAt: history.at,
    findQuery: (each) => findQuery(each, recording),
  })
}
