// A process that appends facts to the log of agents on Kafka until it is stopped; arguments: brokers, chain id, name.
// It prints each fact before and after the append, one JSON object per line.
import { writeSync } from 'node:fs'
import { appendFacts } from './facts.ts'
import { openAgentsTopic } from './kafka-log-storage.ts'

const [brokers = '', chainId = '', name = ''] = process.argv.slice(2)
// Ends with the tests; otherwise this process would never end.
process.stdin.resume().once('end', () => process.exit(1))

const { log } = openAgentsTopic(brokers, chainId)
await appendFacts(log, name, {
  shouldContinue: () => true,
  report: (progress) => void writeSync(1, `${JSON.stringify(progress)}\n`),
})
