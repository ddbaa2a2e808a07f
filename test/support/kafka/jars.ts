// Apache Kafka as Maven Central has it: its jars, fetched once into the user's cache and used from there ever after.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const VERSION = '4.1.0'
const FETCH_MS = 10 * 60_000
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies'

/** The last one makes a broker say why it ends: without it, Kafka logs nothing at all. */
const ARTIFACTS = [
  `org.apache.kafka:kafka_2.13:${VERSION}`,
  `org.apache.kafka:kafka-tools:${VERSION}`,
  'org.apache.logging.log4j:log4j-slf4j-impl:2.24.3',
]

const dependencyOf = (coordinates: string): string => {
  const [group, artifact, version] = coordinates.split(':')
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>rollcall.test</groupId>
  <artifactId>kafka</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>${ARTIFACTS.map(dependencyOf).join('')}</dependencies>
</project>
`

const cacheFolder = (): string => {
  const base = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  return join(base, 'rollcall', `kafka-${VERSION}`)
}

const fetchInto = (folder: string): void => {
  writeFileSync(join(folder, 'pom.xml'), POM)
  const { status, stdout, stderr, error } = spawnSync(
    'mvn',
    ['-q', '-B', '-f', join(folder, 'pom.xml'), COPY, `-DoutputDirectory=${join(folder, 'lib')}`],
    { encoding: 'utf8', timeout: FETCH_MS },
  )
  if (status === 0) return
  throw new Error(`could not fetch Apache Kafka ${VERSION}: ${error?.message ?? stdout + stderr}`)
}

/** The class path of a whole Apache Kafka. */
export const kafkaClassPath = (progress: (line: string) => void): string => {
  const folder = cacheFolder()
  const lib = join(folder, 'lib')
  if (!existsSync(lib)) {
    progress(`fetching Apache Kafka ${VERSION} from Maven Central, once`)
    mkdirSync(folder, { recursive: true })
    const aside = mkdtempSync(join(folder, 'new-'))
    try {
      fetchInto(aside)
      // Renamed when whole: somebody else may fetch at the same time, or this may be interrupted.
      if (!existsSync(lib)) renameSync(join(aside, 'lib'), lib)
    } finally {
      rmSync(aside, { recursive: true, force: true })
    }
  }
  return join(lib, '*')
}
