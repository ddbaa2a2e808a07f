// File descriptors of Go modules that the devnet's node is built without, read from the Go code that protoc generated.
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { fromBinary } from '@bufbuild/protobuf'
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'

const run = promisify(execFile)
const DOWNLOAD_TIMEOUT_MS = 5 * 60_000

export type GoModule = {
  path: string
  version: string
  /** As go.sum has it. */
  sum: string
  /** Where in the module generated code is read. */
  under: string
}

/** A generated file keeps its descriptor gzipped in a byte slice, options included. */
const DESCRIPTOR = /var fileDescriptor_\w+ = \[\]byte\{([^}]*)\}/g

function readDescriptors(source: string): FileDescriptorProto[] {
  return [...source.matchAll(DESCRIPTOR)].map(([, literal = '']) => {
    const withoutComments = literal.replace(/\/\/.*$/gm, '')
    const bytes = Uint8Array.from(withoutComments.match(/0x[0-9a-f]{2}/g) ?? [], Number)
    return fromBinary(FileDescriptorProtoSchema, gunzipSync(bytes))
  })
}

/** Verified against the pinned checksum, which the Go tool does not know of. */
async function downloadModule(module: GoModule): Promise<string> {
  const { stdout } = await run(
    'go',
    ['mod', 'download', '-json', `${module.path}@${module.version}`],
    {
      cwd: tmpdir(),
      timeout: DOWNLOAD_TIMEOUT_MS,
    },
  )
  const { Dir: dir, Sum: sum }: { Dir: string; Sum: string } = JSON.parse(stdout)
  if (sum !== module.sum) throw new Error(`${module.path}@${module.version} has the sum ${sum}`)
  return dir
}

export async function readModuleFiles(module: GoModule): Promise<FileDescriptorProto[]> {
  const dir = `${await downloadModule(module)}/${module.under}`
  const names = await readdir(dir, { recursive: true })
  const generated = names.filter((name) => name.endsWith('.pb.go')).sort()
  const sources = await Promise.all(generated.map((name) => readFile(`${dir}/${name}`, 'utf8')))
  return sources.flatMap(readDescriptors)
}
