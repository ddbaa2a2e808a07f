// Tests the log on Kafka with the contract of the event log.
import { inject } from 'vitest'
import { describeEventLog } from '../contracts/log.ts'
import { createKafkaLogStorage } from '../support/kafka/kafka-log-storage.ts'

describeEventLog('the log on Kafka', async () => createKafkaLogStorage(inject('kafkaBrokers')))
