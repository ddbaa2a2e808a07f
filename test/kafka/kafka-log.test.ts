// The log on Kafka: the contract that every log keeps, and what only a log of transactions can suffer.
import { inject } from 'vitest'
import { createKafkaLogStorage } from '../support/kafka/kafka-log-storage.ts'
import { describeEventLog } from '../support/log/event-log-contract.ts'

describeEventLog('the log on Kafka', async () => createKafkaLogStorage(inject('kafkaBrokers')))
