// Tests that a look at a topic, which is short, leaves nothing on a signal that lives longer.
import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { readKafkaConfig } from '../../../../../infra/base/log/kafka-settings.ts'
import { inspectTopic } from '../../../../../infra/base/log/kafka-topic.ts'
import { silentLogger } from '../../../../support/process/log-lines.ts'

it('leaves no listener on the signal', async () => {
  const { signal } = new AbortController()
  const config = readKafkaConfig({
    KAFKA_BROKERS: 'localhost:9092',
    KAFKA_TLS: 'true',
    KAFKA_TLS_CA_FILE: '/absent/ca.pem',
  })
  const looking = inspectTopic('topic', { config, logger: silentLogger(), signal })
  await expect(looking).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
