// Reads the chain's own schema from the node, and again after an upgrade.
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import type { AbciAnswer, ChainNode } from '../comet/endpoints/node.ts'
import { type ChainSchema, readSchema, SchemaError } from './chain-schema.ts'

/** Undefined if the node reports no usable files: the built-in schema replaces them. */
export type SchemaSource = {
  /** Reads the files at the first call, and when the version of the node software has changed. */
  latest(): Promise<ChainSchema | undefined>
  /** For a message with a type or field that `latest` lacks: reads the files again, unless they were read recently. */
  afterUnknown(): Promise<ChainSchema | undefined>
}

export type SchemaSourceOptions = {
  node: Pick<ChainNode, 'abciQuery'>
  logger: Logger
  clock: Clock
}

export const FILES_PATH = '/cosmos.reflection.v1.ReflectionService/FileDescriptors'
const VERSION_PATH = '/app/version'
/** Minimum interval of reads because of unknown types: a chain that never reports a type is not asked for each message. */
const RETRY_MS = 10 * 60_000

const LATEST_HEIGHT = 0

const ask = ({ node }: SchemaSourceOptions, path: string): Promise<AbciAnswer> =>
  node.abciQuery({ path, data: new Uint8Array(), height: LATEST_HEIGHT })

/** Empty if the node reports no version. */
const readVersion = async (options: SchemaSourceOptions): Promise<string> => {
  const answer = await ask(options, VERSION_PATH)
  return answer.kind === 'value' ? Buffer.from(answer.value).toString('latin1') : ''
}

/** Undefined if there is no usable schema. */
const readFiles = async (options: SchemaSourceOptions): Promise<ChainSchema | undefined> => {
  const { logger } = options
  const answer = await ask(options, FILES_PATH)
  if (answer.kind !== 'value') {
    logger.info({ reason: answer.log }, 'the node does not report its protobuf files')
    return undefined
  }
  try {
    const schema = readSchema(answer.value)
    const { omittedFiles } = schema
    if (omittedFiles.length > 0) {
      const files = omittedFiles.slice(0, 20)
      logger.warn({ files }, 'left out protobuf files whose imports are missing')
    }
    return schema
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    logger.error({ reason: error.message }, 'refused the protobuf files of the node')
    return undefined
  }
}

export const createSchemaSource = (options: SchemaSourceOptions): SchemaSource => {
  type Reading = { version: string | undefined; schema: Promise<ChainSchema | undefined> }
  /** Undefined after a read that failed: the next call reads again. */
  let current: Reading | undefined
  /** Stays in use if a new version reports no usable files. */
  let usable: ChainSchema | undefined
  let readAtMs = 0
  const read = (version: string | undefined): Promise<ChainSchema | undefined> => {
    readAtMs = options.clock.now()
    const schema = (async () => {
      usable = (await readFiles(options)) ?? usable
      return usable
    })()
    const reading = { version, schema }
    current = reading
    schema.catch(() => {
      if (current === reading) current = undefined
    })
    return schema
  }
  return {
    latest: async () => {
      const version = await readVersion(options)
      return await (current?.version === version ? current.schema : read(version))
    },
    afterUnknown: async () => {
      const isRecent = options.clock.now() - readAtMs < RETRY_MS
      return await (current && isRecent ? current.schema : read(current?.version))
    },
  }
}
