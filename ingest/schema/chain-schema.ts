// The message types of a chain, from its file descriptors. A node sends them: they are bounded, checked and never executed.

import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import {
  create,
  createFileRegistry,
  type DescMessage,
  type DescMethod,
  type FileRegistry,
  fromBinary,
} from '@bufbuild/protobuf'
import { type FileDescriptorProto, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { locateFile } from '../../infra/base/runtime/product-files.ts'
import { type Budget, readWireFields } from './wire.ts'

type Kind = 'set' | 'file' | 'message' | 'enum' | 'service' | 'leaf'

/** The fields of `descriptor.proto` that are declarations, by number. */
const DECLARATIONS: Record<Kind, Readonly<Record<number, Kind>>> = {
  set: { 1: 'file' },
  file: { 4: 'message', 5: 'enum', 6: 'service', 7: 'leaf' },
  message: { 2: 'leaf', 3: 'message', 4: 'enum', 6: 'leaf', 8: 'leaf' },
  enum: { 2: 'leaf' },
  service: { 2: 'leaf' },
  leaf: {},
}

const MAX_DEPTH = 32

const visit = (bytes: Uint8Array, kind: Kind, at: { depth: number; budget: Budget }): void => {
  if (at.depth > MAX_DEPTH) throw new RangeError(`types nested deeper than ${MAX_DEPTH}`)
  const declarations = DECLARATIONS[kind]
  for (const { no, value } of readWireFields(bytes, at.budget)) {
    const declared = declarations[no]
    if (!declared || typeof value === 'bigint') continue
    visit(value, declared, { ...at, depth: at.depth + 1 })
  }
}

/** Throws if the set has more declarations (and parts of them) than `maxFields`, or too deep nesting. */
const checkDeclarations = (set: Uint8Array, maxFields: number): void =>
  visit(set, 'set', { depth: 0, budget: { fields: maxFields } })

export type ChainSchema = {
  /** Files with missing imports, and the files that import them. */
  omittedFiles: readonly string[]
  /** `typeUrl` ends with the name after its last slash, as in an `Any`. */
  messageType(typeUrl: string): DescMessage | undefined
  /** `path` is `/package.Service/Method`. */
  method(path: string): DescMethod | undefined
  /** The methods of `package.Query`. */
  queriesOf(packageName: string): readonly DescMethod[]
}

/** A large chain declares about 2 MB, 1,000 files and 200,000 fields. */
export const MAX_SCHEMA_BYTES = 16 * 2 ** 20
const MAX_FILES = 10_000
const MAX_DECLARATION_FIELDS = 600_000

/** A set of files that cannot be used; the message has the reason. */
export class SchemaError extends Error {
  override name = 'SchemaError'
}

const byName = (files: readonly FileDescriptorProto[]): Map<string, FileDescriptorProto> => {
  const all = new Map<string, FileDescriptorProto>()
  for (const file of files) {
    if (all.has(file.name)) throw new SchemaError(`it has the file ${file.name} twice`)
    all.set(file.name, file)
  }
  return all
}

/** Dependencies first, as a registry needs them. Files with missing imports are left out. */
const inOrder = (files: readonly FileDescriptorProto[]) => {
  const all = byName(files)
  const state = new Map<string, 'visiting' | 'ordered' | 'omitted'>()
  const ordered: FileDescriptorProto[] = []
  const visit = (name: string): boolean => {
    const known = state.get(name)
    if (known === 'visiting') throw new SchemaError(`circular imports, including ${name}`)
    if (known) return known === 'ordered'
    const file = all.get(name)
    if (!file) return false
    state.set(name, 'visiting')
    const isWhole = file.dependency.map(visit).every(Boolean)
    state.set(name, isWhole ? 'ordered' : 'omitted')
    if (isWhole) ordered.push(file)
    return isWhole
  }
  for (const name of all.keys()) visit(name)
  return { ordered, omitted: [...all.keys()].filter((name) => state.get(name) === 'omitted') }
}

/** The registry keeps the last of two types with one name: such a set could decode a message as another type. */
const refuseClashes = ({ files }: FileRegistry): void => {
  const owner = new Map<string, string>()
  for (const file of files) {
    const nested = [...file.messages]
    for (let message = nested.pop(); message; message = nested.pop()) {
      nested.push(...message.nestedMessages)
      const { typeName } = message
      const other = owner.get(typeName)
      if (other !== undefined) {
        throw new SchemaError(`${other} and ${file.name} both declare ${typeName}`)
      }
      owner.set(typeName, file.name)
    }
  }
}

const decodeFiles = (bytes: Uint8Array): FileDescriptorProto[] => {
  checkDeclarations(bytes, MAX_DECLARATION_FIELDS)
  const { file: files } = fromBinary(FileDescriptorSetSchema, bytes)
  if (files.length > MAX_FILES) throw new SchemaError(`it has ${files.length} files`)
  // Comments of the source are not needed.
  for (const file of files) delete file.sourceCodeInfo
  return files
}

const createRegistry = (files: readonly FileDescriptorProto[]) => {
  const { ordered, omitted } = inOrder(files)
  if (ordered.length === 0) throw new SchemaError('it has no file with all its imports')
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: ordered }))
  refuseClashes(registry)
  return { registry, omitted }
}

const METHOD_PATH = /^\/([A-Za-z0-9_.]+)\/([A-Za-z0-9_]+)$/

const createSchema = (sent: Uint8Array): ChainSchema => {
  const { registry, omitted } = createRegistry(decodeFiles(sent))
  const listMethods = (service: string) => registry.getService(service)?.methods ?? []
  return {
    omittedFiles: omitted,
    messageType: (typeUrl) => registry.getMessage(typeUrl.slice(typeUrl.lastIndexOf('/') + 1)),
    method: (path) => {
      const [, service = '', name = ''] = METHOD_PATH.exec(path) ?? []
      return listMethods(service).find((method) => method.name === name)
    },
    queriesOf: (packageName) => listMethods(`${packageName}.Query`),
  }
}

/** `bytes`: a `google.protobuf.FileDescriptorSet`. Throws `SchemaError` with the reason if it cannot be used. */
export const readSchema = (bytes: Uint8Array): ChainSchema => {
  if (bytes.length > MAX_SCHEMA_BYTES) {
    throw new SchemaError(`it has ${bytes.length} bytes, at most ${MAX_SCHEMA_BYTES} are read`)
  }
  try {
    return createSchema(bytes)
  } catch (error) {
    if (error instanceof SchemaError) throw error
    throw new SchemaError(`it cannot be decoded: ${(error as Error).message}`, { cause: error })
  }
}

/** Written by `npm run record:schema`. In the same folder, in the sources and in the build. */
const FILES = locateFile('ingest/schema/standard-files.binpb.br')

let schema: ChainSchema | undefined

/** Loaded at the first call. */
export const builtInSchema = (): ChainSchema => {
  schema ??= readSchema(brotliDecompressSync(readFileSync(FILES)))
  return schema
}
