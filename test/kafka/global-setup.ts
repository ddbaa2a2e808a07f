// Provides one real Kafka for all tests of the suite: the configured one, else local processes that it stops at the end.
import type { TestProject } from 'vitest/node'
import { type LocalKafka, startLocalKafka } from '../support/kafka/local-broker.ts'

declare module 'vitest' {
  interface ProvidedContext {
    kafkaBrokers: string
  }
}

let local: LocalKafka | undefined

export async function setup(project: TestProject): Promise<void> {
  const configured = process.env['KAFKA_BROKERS']?.trim()
  if (!configured) local = await startLocalKafka({ progress: (line) => console.log(line) })
  console.log(configured ? `Kafka: KAFKA_BROKERS=${configured}` : 'Kafka: local processes')
  project.provide('kafkaBrokers', configured || (local?.brokers ?? ''))
}

export async function teardown(): Promise<void> {
  await local?.stop()
}
