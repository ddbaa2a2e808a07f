// Checks the sources of the repository against the rules. Only `readSources` reads files.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import typescript from 'typescript'
// @ts-expect-error It is plain JavaScript.
import { GENERATED_ASSETS } from '../../../infra/generated-assets.mjs'

export const ROOT_FOLDERS = ['ingest', 'projections', 'api', 'auth', 'infra', 'test'] as const

/** `path` is relative to the repository, with forward slashes. */
export type SourceFile = { path: string; text: string }

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The packages and the storeys of `infra`. A path belongs to the first part that it begins with. */
const PARTS = ['infra/app/tools', 'infra/app', 'infra/base', ...ROOT_FOLDERS] as const
type Part = (typeof PARTS)[number]

/** The parts that each part may import besides itself. */
const DEPENDENCIES: Record<Part, readonly string[]> = {
  'infra/base': [],
  ingest: ['infra/base'],
  auth: ['infra/base', 'ingest/contract'],
  projections: ['infra/base', 'ingest/contract', 'ingest/tally', 'auth/contract'],
  api: ['infra/base', 'ingest/contract', 'projections/contract', 'auth/contract'],
  'infra/app/tools': ['infra/base', 'ingest'],
  'infra/app': ['infra/base', 'infra/app/tools', 'ingest', 'projections', 'api', 'auth'],
  infra: [],
  test: [
    'infra',
    'infra/base',
    'infra/app/tools',
    'infra/app',
    'ingest',
    'projections',
    'api',
    'auth',
  ],
}

const READS = ['resources', 'read', 'schemas', 'words']

/** The folders that each folder of `api` may import, besides itself. */
const API_DEPENDENCIES: Readonly<Record<string, readonly string[]>> = {
  schemas: [],
  words: ['schemas'],
  explain: ['schemas', 'words'],
  read: ['schemas', 'words', 'explain'],
  resources: ['read', 'schemas', 'words'],
  view: READS,
  formats: READS,
  mcp: [...READS, 'view'],
  stream: READS,
  pages: [...READS, 'view', 'mcp'],
  feed: [...READS, 'view'],
  discovery: [...READS, 'formats', 'mcp'],
  http: [...READS, 'view', 'formats', 'mcp', 'stream', 'feed', 'pages', 'discovery'],
}

/** Only one file may import each of these, so that it can be replaced in one file. */
const ONE_IMPORTER = [
  '@clickhouse/client',
  '@modelcontextprotocol/server',
  'ffi-rs',
  'jose',
  'kafkajs',
  'libsql',
  'preact-render-to-string',
]

/** Paths that exist on one machine only, such as a home directory. */
const MACHINE_PATH = /(?<![\w.~-])\/(?:home\/\w+|root|work|Users\/\w+)\//

const textFilesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|mjs|js|sql|md)$/.test(entry.name))
    .filter(({ parentPath }) => !parentPath.split(sep).includes('node_modules'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))

/** Every source and page of the six packages. */
export const readSources = (): SourceFile[] =>
  ROOT_FOLDERS.flatMap((folder) => textFilesIn(join(ROOT, folder)))
    .filter((path) => !GENERATED_ASSETS.includes(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

const findPart = (path: string): Part | undefined =>
  PARTS.find((part) => `${path}/`.startsWith(`${part}/`))

/** A dependency on `infra/app` does not include its tools. */
const mayImport = (part: Part, target: string): boolean =>
  [part, ...DEPENDENCIES[part]].some(
    (allowed) => target.startsWith(`${allowed}/`) && findPart(target) === findPart(allowed),
  )

export const isCode = ({ path }: SourceFile): boolean => /\.(?:tsx?|mjs|js)$/.test(path)

/** The modules in static, dynamic and type imports and in re-exports of a file. */
export const findImports = ({ text }: SourceFile): string[] =>
  typescript.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName)

const toPackageName = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const dependencyProblems = (file: SourceFile): string[] => {
  const part = findPart(file.path)
  if (!part) return []
  return findImports(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.normalize(posix.join(dirname(file.path), specifier)))
    .filter((target) => findPart(target) !== undefined && !mayImport(part, target))
    .map((target) => `${file.path} imports ${target}: this dependency is not allowed`)
}

const findApiFolder = (path: string): string | undefined => /^api\/([^/]+)\//.exec(path)?.[1]

/** The files beside the folders of `api`: they start the service. */
const API_START = /^api\/(?:main|app|config)\.ts$/

/** Imports between the folders of `api` that are not allowed. No folder may import a file beside the folders. */
const apiProblems = (file: SourceFile): string[] => {
  const folder = findApiFolder(file.path)
  if (folder === undefined) {
    const isLoose = /^api\/[^/]+$/.test(file.path) && !API_START.test(file.path)
    return isLoose ? [`${file.path} is in no folder of api`] : []
  }
  const allowed = [folder, ...(API_DEPENDENCIES[folder] ?? [])]
  return findImports(file)
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.normalize(posix.join(dirname(file.path), specifier)))
    .filter((target) => {
      const targetFolder = findApiFolder(target)
      return targetFolder === undefined
        ? target.startsWith('api/')
        : !allowed.includes(targetFolder)
    })
    .map((target) => `${file.path} imports ${target}: this dependency is not allowed`)
}

const importerProblems = (files: readonly SourceFile[]): string[] =>
  ONE_IMPORTER.flatMap((name) => {
    const importers = files
      .filter(
        (file) =>
          !file.path.startsWith('test/') && findImports(file).map(toPackageName).includes(name),
      )
      .map(({ path }) => path)
    return importers.length > 1 ? [`${name} has ${importers.length} importers: ${importers}`] : []
  })

export const withoutComments = (text: string): string => text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')

/** The main module of every process of the product. */
const PROGRAM = 'infra/app/cli.ts'

const environmentProblems = (file: SourceFile): string[] => {
  const mayRead = file.path === PROGRAM || file.path.startsWith('test/')
  return !mayRead && /\bprocess\s*(?:\?\.)?(?:\.\s*env\b|\[)/.test(withoutComments(file.text))
    ? [`${file.path} reads the environment: only ${PROGRAM} may`]
    : []
}

const machinePathProblems = (file: SourceFile): string[] => {
  const found = MACHINE_PATH.exec(file.text)
  return found ? [`${file.path} names a path of one machine: ${found[0]}`] : []
}

/** Every violation as a sentence with the file name. */
export const findProblems = (files: readonly SourceFile[]): string[] => {
  const code = files.filter(isCode)
  return [
    ...code.flatMap(dependencyProblems),
    ...code.flatMap(apiProblems),
    ...importerProblems(code),
    ...code.flatMap(environmentProblems),
    ...files.flatMap(machinePathProblems),
  ]
}

/** Hosts in a lock file. There must be none, so that every user can use a different registry. */
export const hostsIn = (lockFile: string): string[] => [
  ...new Set(
    [...lockFile.matchAll(/"resolved":\s*"(?:git\+)?\w+:\/\/([^/"]+)/g)].map(
      ([, host]) => host ?? '',
    ),
  ),
]

export const readLockFile = (): string => readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
