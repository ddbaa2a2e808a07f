// Downloads Java programs from Maven Central once into the user's cache.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const FETCH_MS = 10 * 60_000
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies'

export type MavenProgram = {
  /** Display name, such as `Apache Kafka`. */
  title: string
  /** Name of the folder in the cache. */
  name: string
  version: string
  /** `group:artifact:version`; dependencies are included. */
  artifacts: readonly string[]
}

const toDependencyXml = (coordinates: string): string => {
  const [group, artifact, version] = coordinates.split(':')
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`
}

const createPom = ({
  name,
  artifacts,
}: MavenProgram): string => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>rollcall.test</groupId>
  <artifactId>${name}</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>${artifacts.map(toDependencyXml).join('')}</dependencies>
</project>
`

const cacheFolder = ({ name, version }: MavenProgram): string => {
  const base = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  return join(base, 'rollcall', `${name}-${version}`)
}

const fetchInto = (folder: string, program: MavenProgram): void => {
  writeFileSync(join(folder, 'pom.xml'), createPom(program))
  const { status, stdout, stderr, error } = spawnSync(
    'mvn',
    ['-q', '-B', '-f', join(folder, 'pom.xml'), COPY, `-DoutputDirectory=${join(folder, 'lib')}`],
    { encoding: 'utf8', timeout: FETCH_MS },
  )
  if (status === 0) return
  const reason = error?.message ?? stdout + stderr
  throw new Error(`could not fetch ${program.title} ${program.version}: ${reason}`)
}

/** The class path of a complete program. */
export const mavenClassPath = (
  program: MavenProgram,
  progress: (line: string) => void = () => {},
): string => {
  const folder = cacheFolder(program)
  const lib = join(folder, 'lib')
  if (!existsSync(lib)) {
    progress(`fetching ${program.title} ${program.version} from Maven Central, once`)
    mkdirSync(folder, { recursive: true })
    const temporary = mkdtempSync(join(folder, 'new-'))
    try {
      fetchInto(temporary, program)
      // Renamed when complete, because another process may fetch too, or this one may be interrupted.
      if (!existsSync(lib)) renameSync(join(temporary, 'lib'), lib)
    } finally {
      rmSync(temporary, { recursive: true, force: true })
    }
  }
  return join(lib, '*')
}
