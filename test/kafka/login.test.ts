// Tests brokers that require TLS and a login.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKafkaLeadership } from '../../infra/base/log/kafka-leadership.ts'
import { openKafkaLog } from '../../infra/base/log/kafka-log.ts'
import { SASL_USER } from '../support/kafka/broker-config.ts'
import { kafkaConfig, ownChainId } from '../support/kafka/kafka-log-storage.ts'
import { type LocalKafka, startLocalKafka } from '../support/kafka/local-broker.ts'
import { createEntry, readAll } from '../support/log/log-entries.ts'
import { recordingLogger } from '../support/process/log-lines.ts'
import { checkRequirement } from '../support/suite/requirements.ts'

let kafka: LocalKafka
const problem = checkRequirement('java')

const createSettings = (env: Record<string, string>) =>
  kafkaConfig(kafka.secure!.brokers, {
    KAFKA_TLS: 'true',
    KAFKA_TLS_CA_FILE: kafka.secure!.caFile,
    KAFKA_SASL_MECHANISM: 'plain',
    KAFKA_SASL_USERNAME: SASL_USER.username,
    KAFKA_SASL_PASSWORD: SASL_USER.password,
    ...env,
  })

describe.skipIf(problem)('with brokers that require TLS and a password', () => {
  beforeAll(async () => {
    kafka = await startLocalKafka({ secure: true })
  })
  afterAll(async () => {
    await kafka?.stop()
  })

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'])(
    'a log is written, read and led with a login by %s',
    async (mechanism) => {
      const settings = createSettings({ KAFKA_SASL_MECHANISM: mechanism })
      const { logger, lines } = recordingLogger()
      const chainId = ownChainId()
      const stopping = new AbortController()
      const leadership = createKafkaLeadership({ settings, groupId: chainId, logger })
      await leadership.lead(async (signal) => {
        const log = await openKafkaLog({ settings, chainId, logger, signal })
        await log.append([createEntry(1)])
        expect(await readAll(log)).toHaveLength(1)
        await log.close()
        stopping.abort()
      }, stopping.signal)
      expect(lines.length).toBeGreaterThan(0)
      expect(JSON.stringify(lines)).not.toContain(SASL_USER.password)
    },
  )

  it('a wrong password is reported without the password', async () => {
    const { logger, lines } = recordingLogger()
    const settings = createSettings({ KAFKA_SASL_PASSWORD: 'a guess' })
    const opening = openKafkaLog({ settings, chainId: ownChainId(), logger })
    const error = await opening.catch((each: unknown) => each)
    expect(error).toMatchObject({ code: 'LOG_UNAVAILABLE', retryable: false })
    expect(String(error)).toMatch(/authentication failed/i)
    expect(String(error) + JSON.stringify(lines)).not.toContain('a guess')
  })

  it('a broker with an untrusted certificate gets no data', async () => {
    const { logger } = recordingLogger()
    const { tlsCaFile: _, ...settings } = createSettings({})
    const opening = openKafkaLog({
      settings: { ...settings, tlsCaFile: undefined },
      chainId: ownChainId(),
      logger,
    })
    await expect(opening).rejects.toMatchObject({
      code: 'LOG_UNAVAILABLE',
      message: expect.stringMatching(/certificate/),
    })
  })
})
