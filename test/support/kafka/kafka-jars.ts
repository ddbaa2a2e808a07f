// Downloads Apache Kafka from Maven Central once into the user's cache.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { runToEnd } from '../process/command.ts'

const VERSION = '4.1.0'
const FETCH_MS = 10 * 60_000
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies'

/** `group:artifact:version`; dependencies are included. */
const ARTIFACTS = [
  `org.apache.kafka:kafka_2.13:${VERSION}`,
  `org.apache.kafka:kafka-tools:${VERSION}`,
  // Without this logger Kafka logs nothing, not even why a broker ends.
  'org.apache.logging.log4j:log4j-slf4j-impl:2.24.3',
]

const toDependencyXml = (coordinates: string): string => {
  const [group, artifact, version] = coordinates.split(':')
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>rollcall.test</groupId>
  <artifactId>kafka</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>${ARTIFACTS.map(toDependencyXml).join('')}</dependencies>
</project>
`

const fetchInto = async (folder: string): Promise<void> => {
  const pom = join(folder, 'pom.xml')
  writeFileSync(pom, POM)
  const args = ['-q', '-B', '-f', pom, COPY, `-DoutputDirectory=${join(folder, 'lib')}`]
  const { code, stdout, stderr } = await runToEnd('mvn', args, { deadlineMs: FETCH_MS })
  if (code !== 0) throw new Error(`could not fetch Apache Kafka ${VERSION}: ${stdout}${stderr}`)
}

/** The class path of a complete Apache Kafka. */
export const kafkaClassPath = async (progress: (line: string) => void): Promise<string> => {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const folder = join(cache, 'rollcall', `kafka-${VERSION}`)
  const lib = join(folder, 'lib')
  if (!existsSync(lib)) {
    progress(`fetching Apache Kafka ${VERSION} from Maven Central, once`)
    mkdirSync(folder, { recursive: true })
    const temporary = mkdtempSync(join(folder, 'new-'))
    try {
      await fetchInto(temporary)
      // Renamed when complete, because another process may fetch too, or this one may be interrupted.
      if (!existsSync(lib)) renameSync(join(temporary, 'lib'), lib)
    } finally {
      rmSync(temporary, { recursive: true, force: true })
    }
  }
  return join(lib, '*')
}
