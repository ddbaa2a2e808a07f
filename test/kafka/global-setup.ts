// Starts one Kafka for all tests of the suite and stops it at the end.
import type { TestProject } from 'vitest/node'
import { type KafkaForTests, kafkaForTests } from '../support/kafka/kafka-for-tests.ts'

declare module 'vitest' {
  interface ProvidedContext {
    kafkaBrokers: string
  }
}

let kafka: KafkaForTests | undefined

export async function setup(project: TestProject): Promise<void> {
  kafka = await kafkaForTests()
  project.provide('kafkaBrokers', kafka.brokers)
}

export async function teardown(): Promise<void> {
  await kafka?.stop()
}
