// The log on Kafka: the contract that every log keeps, and what only a log of transactions can suffer.
import { inject } from 'vitest'
import { describeEventLog } from '../support/event-log-contract.ts'
import { createKafkaLogPlace } from '../support/kafka/log-place.ts'

describeEventLog('the log on Kafka', async () => createKafkaLogPlace(inject('kafkaBrokers')))
