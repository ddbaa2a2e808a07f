// Tests of a session with Kafka that is closed before its signal fires.
import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { createSession } from '../../../../../infra/base/log/kafka-client.ts'
import { readKafkaConfig } from '../../../../../infra/base/log/kafka-settings.ts'

it('a closed session leaves no listener on a signal that lives longer', () => {
  const { signal } = new AbortController()
  const session = createSession({
    config: readKafkaConfig({ KAFKA_BROKERS: 'localhost:9092' }),
    signal,
    open: async () => 'a client',
  })
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  session.close()
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
