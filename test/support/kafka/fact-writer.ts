// A process of its own that appends facts to the log of agents on Kafka until it is ended; arguments: brokers, chain id, name.
// Tells on standard output which it is about to append and which are, one JSON object a line.
import { writeSync } from 'node:fs'
import { appendFacts } from './facts.ts'
import { openAgentsTopic } from './kafka-log-storage.ts'

const [brokers = '', chainId = '', name = ''] = process.argv.slice(2)
// The tests' own end: without it, this process would go on for ever.
process.stdin.resume().once('end', () => process.exit(1))

const { log } = openAgentsTopic(brokers, chainId)
await appendFacts(log, name, {
  shouldContinue: () => true,
  report: (progress) => void writeSync(1, `${JSON.stringify(progress)}\n`),
})
