// Tests of how the log classifies errors of the Kafka client.
import kafkajs from 'kafkajs'
import { expect, it } from 'vitest'
import { logError } from '../../../../../infra/base/log/kafka-client.ts'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'

const { KafkaJSConnectionError, KafkaJSNonRetriableError, KafkaJSProtocolError } = kafkajs

const protocolError = (type: string, code: number, message = 'reported by a broker') =>
  new KafkaJSProtocolError({ type, code, message } as unknown as Error)
const wrapped = (cause: Error) => Object.assign(new KafkaJSNonRetriableError('aborted'), { cause })

it.each([
  ['thrown directly', protocolError('INVALID_PRODUCER_EPOCH', 47)],
  ['in a wrapper', wrapped(protocolError('INVALID_PRODUCER_EPOCH', 47))],
  ['with a newer code', protocolError('KAFKAJS_UNKNOWN_ERROR_CODE', -99, 'Unknown error code 90')],
])('a stale producer is recognized as fenced: %s', (_, error) => {
  expect(logError(error, 'append')).toMatchObject({ code: 'LOG_FENCED', retryable: false })
})

it.each([
  ['a lost connection', new KafkaJSConnectionError('Connection error: connect ECONNREFUSED')],
  ['a moved coordinator', protocolError('NOT_COORDINATOR_FOR_GROUP', 16)],
  ['an unknown code', protocolError('KAFKAJS_UNKNOWN_ERROR_CODE', -99, 'Unknown error code 900')],
  ['an expired transactional id', protocolError('INVALID_PRODUCER_ID_MAPPING', 49)],
  ['a deadline', new AppError('DEADLINE_EXCEEDED', 'no answer', { retryable: true })],
])('the outcome after %s is unknown and retryable', (_, error) => {
  expect(logError(error, 'append')).toMatchObject({ code: 'LOG_UNAVAILABLE', retryable: true })
})

it.each([
  ['a missing permission', protocolError('TOPIC_AUTHORIZATION_FAILED', 29)],
  ['an untrusted broker', new KafkaJSConnectionError('Connection error: self-signed certificate')],
])('%s is not retried', (_, error) => {
  expect(logError(error, 'append')).toMatchObject({ code: 'LOG_UNAVAILABLE', retryable: false })
})

it.each([
  ['an invalid record', protocolError('INVALID_RECORD', 87)],
  ['an old record format of the topic', protocolError('UNSUPPORTED_FOR_MESSAGE_FORMAT', 43)],
  ['a policy of the brokers', wrapped(protocolError('POLICY_VIOLATION', 44))],
])('an append that fails because of %s is not retried', (_, error) => {
  expect(logError(error, 'append')).toMatchObject({ code: 'LOG_UNAVAILABLE', retryable: false })
})

it.each([
  ['one record', protocolError('MESSAGE_TOO_LARGE', 10)],
  ['all records of a batch', wrapped(protocolError('RECORD_LIST_TOO_LARGE', 18))],
])('a refusal of %s because of its size is permanent', (_, error) => {
  expect(logError(error, 'append')).toMatchObject({ code: 'LOG_ENTRY_TOO_LARGE', retryable: false })
})

it('causes that form a cycle are read only once', () => {
  const error = new KafkaJSConnectionError('Connection error')
  Object.assign(error, { cause: error })
  expect(logError(error, 'append')).toMatchObject({ code: 'LOG_UNAVAILABLE', retryable: true })
})

it('an error of Rollcall is not changed', () => {
  const error = new AppError('LOG_DAMAGED', 'no height')
  expect(logError(error, 'read')).toBe(error)
})
