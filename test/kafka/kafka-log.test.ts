// Tests the log on Kafka with the contract of the event log.
import { inject } from 'vitest'
import { createKafkaLogStorage } from '../support/kafka/kafka-log-storage.ts'
import { describeEventLog } from '../support/log/event-log-contract.ts'

describeEventLog('the log on Kafka', async () => createKafkaLogStorage(inject('kafkaBrokers')))
