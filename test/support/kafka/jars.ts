// Downloads Apache Kafka from Maven Central.
import { mavenClassPath } from '../process/maven-jars.ts'

const VERSION = '4.1.0'

/** The class path of a complete Apache Kafka. */
export const kafkaClassPath = (progress: (line: string) => void): string =>
  mavenClassPath(
    {
      title: 'Apache Kafka',
      name: 'kafka',
      version: VERSION,
      artifacts: [
        `org.apache.kafka:kafka_2.13:${VERSION}`,
        `org.apache.kafka:kafka-tools:${VERSION}`,
        // Without this logger Kafka logs nothing, not even why a broker ends.
        'org.apache.logging.log4j:log4j-slf4j-impl:2.24.3',
      ],
    },
    progress,
  )
