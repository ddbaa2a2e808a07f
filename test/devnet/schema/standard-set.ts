// The built-in descriptor set: what the devnet's node reports, without what no chain message uses, plus modules that the node lacks.
import { clone, create } from '@bufbuild/protobuf'
import {
  type DescriptorProto,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  type FileDescriptorSet,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt'
import { type GoModule, readModuleFiles } from './module-files.ts'

/** Messages that other chains have: removed modules and light clients that wasmd does not link. */
export const EXTRA_MODULES: readonly GoModule[] = [
  {
    path: 'github.com/cosmos/cosmos-sdk',
    version: 'v0.53.6',
    sum: 'h1:aJeInld7rbsHtH1qLHu2aZJF9t40mGlqp3ylBLDT0HI=',
    under: 'x/crisis',
  },
  {
    path: 'github.com/cosmos/ibc-go/modules/light-clients/08-wasm/v10',
    version: 'v10.3.0',
    sum: 'h1:m7ngaGY7/eeBC7Ly+/sGrUKCp/HNMeKWao8ksWlxH8Q=',
    under: 'types',
  },
  {
    // The last with the fee middleware and with proposals as legacy contents.
    path: 'github.com/cosmos/ibc-go/v8',
    version: 'v8.8.0',
    sum: 'h1:Xn4/Xzt7JZihKRRSe8xJ65zG7PwrSnIWYRoQDK9hhME=',
    under: 'modules',
  },
]

/** The node reports every file linked into its binary, those of gRPC's control plane among them; imports of these are kept too. */
const CHAIN_FILE = /^(?:cosmos|cosmwasm|google\/protobuf|ibc|tendermint)\//

/** Dependencies first, as a registry wants them. */
function keepChainFiles(files: ReadonlyMap<string, FileDescriptorProto>): FileDescriptorProto[] {
  const kept = new Map<string, FileDescriptorProto>()
  const keep = (name: string): void => {
    if (kept.has(name)) return
    const file = files.get(name)
    if (!file) throw new Error(`the set lacks ${name}, which another file imports`)
    for (const dependency of file.dependency) keep(dependency)
    kept.set(name, file)
  }
  for (const name of [...files.keys()].sort()) if (CHAIN_FILE.test(name)) keep(name)
  return [...kept.values()]
}

const declaredIn = (file: FileDescriptorProto): string[] =>
  [...file.messageType, ...file.enumType].map(({ name }) => `${file.package}.${name}`)

/** What a later version of the same file no longer declares, as a file that imports the later one. */
function removedPart(file: FileDescriptorProto, isKnown: (name: string) => boolean) {
  const isRemoved = ({ name }: { name: string }) => !isKnown(`${file.package}.${name}`)
  const messageType: DescriptorProto[] = file.messageType.filter(isRemoved)
  if (messageType.length === 0) return undefined
  const part = clone(FileDescriptorProtoSchema, file)
  part.name = file.name.replace(/\.proto$/, '.removed.proto')
  part.dependency = [...file.dependency, file.name]
  part.publicDependency = []
  part.messageType = messageType
  part.enumType = file.enumType.filter(isRemoved)
  part.service = []
  return part
}

function addModule(files: Map<string, FileDescriptorProto>, added: readonly FileDescriptorProto[]) {
  const known = new Set([...files.values()].flatMap(declaredIn))
  for (const file of added) {
    const part = files.has(file.name) ? removedPart(file, (name) => known.has(name)) : file
    // A type keeps the file it is declared in first.
    if (!part || declaredIn(part).some((name) => known.has(name))) continue
    files.set(part.name, part)
    for (const name of declaredIn(part)) known.add(name)
  }
}

export async function buildStandardSet(reported: FileDescriptorSet): Promise<FileDescriptorSet> {
  const files = new Map(reported.file.map((file) => [file.name, file]))
  for (const module of EXTRA_MODULES) addModule(files, await readModuleFiles(module))
  const file = keepChainFiles(files).map((each) => {
    const stripped = clone(FileDescriptorProtoSchema, each)
    delete stripped.sourceCodeInfo
    return stripped
  })
  return create(FileDescriptorSetSchema, { file })
}
