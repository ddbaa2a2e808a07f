// Tests of the settings of the Kafka connection, and of the client options made from them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import {
  connectKafka,
  readTlsOptions,
  toSaslOptions,
} from '../../../../../infra/base/log/kafka-client.ts'
import { readKafkaConfig } from '../../../../../infra/base/log/kafka-settings.ts'
import {
  createTemporaryDirectory,
  type TemporaryDirectory,
} from '../../../../support/process/temporary-directory.ts'

const BROKERS = { KAFKA_BROKERS: 'kafka-1:9092' }
const directories: TemporaryDirectory[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) directory.remove()
})

it('accepts brokers without TLS and login', () => {
  const config = readKafkaConfig({ KAFKA_BROKERS: 'kafka-1:9092, 10.0.0.2:19092' })
  expect(config.brokers).toEqual(['kafka-1:9092', '10.0.0.2:19092'])
  expect(config.clientId).toBe('rollcall')
  expect(readTlsOptions(config)).toBeUndefined()
  expect(toSaslOptions(config)).toBeUndefined()
})

it.each(['kafka-1', 'http://kafka-1:9092', 'kafka-1:0', 'kafka-1:65536', ','])(
  'refuses %s as brokers',
  (brokers) => {
    expect(() => readKafkaConfig({ KAFKA_BROKERS: brokers })).toThrow(/KAFKA_BROKERS/)
  },
)

it('accepts a login by password, and never shows the password', () => {
  const env = { ...BROKERS, KAFKA_SASL_USERNAME: 'reader', KAFKA_SASL_PASSWORD: 'hush' }
  const config = readKafkaConfig({ ...env, KAFKA_SASL_MECHANISM: 'scram-sha-512' })
  const expected = { mechanism: 'scram-sha-512', username: 'reader', password: 'hush' }
  expect(toSaslOptions(config)).toEqual(expected)
  expect(() => readKafkaConfig({ ...env, KAFKA_SASL_MECHANISM: 'gssapi' })).toThrow(
    /one of plain, scram-sha-256, scram-sha-512/,
  )
  expect(() => readKafkaConfig(env)).toThrow(/^(?!.*hush)/s)
})

it.each([
  [{ KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'reader' }, /KAFKA_SASL_PASSWORD/],
  [{ KAFKA_SASL_PASSWORD: 'hush' }, /no KAFKA_SASL_MECHANISM/],
  [{ KAFKA_TLS_CA_FILE: 'ca.pem' }, /KAFKA_TLS is not true/],
  [{ KAFKA_TLS: 'true', KAFKA_TLS_CERT_FILE: 'cert.pem' }, /belong together/],
])('refuses a contradictory combination: %o', (env, problem) => {
  expect(() => readKafkaConfig({ ...BROKERS, ...env })).toThrow(problem)
})

it('reads the TLS files, and names the setting of a missing file', () => {
  const directory = createTemporaryDirectory('tls')
  directories.push(directory)
  const toPath = (name: string) => join(directory.path, name)
  for (const name of ['ca', 'cert', 'key']) writeFileSync(toPath(name), `the ${name}`)
  const env = {
    ...BROKERS,
    KAFKA_TLS: 'true',
    KAFKA_TLS_CA_FILE: toPath('ca'),
    KAFKA_TLS_CERT_FILE: toPath('cert'),
    KAFKA_TLS_KEY_FILE: toPath('key'),
  }
  const options = readTlsOptions(readKafkaConfig(env))
  expect(Object.entries(options ?? {}).map(([name, bytes]) => `${name}: ${bytes}`)).toEqual([
    'ca: the ca',
    'cert: the cert',
    'key: the key',
  ])
  const absent = readKafkaConfig({ ...env, KAFKA_TLS_CA_FILE: toPath('nowhere') })
  expect(() => connectKafka(absent)).toThrow(/KAFKA_TLS_CA_FILE/)
})
