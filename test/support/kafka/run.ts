// `npm run kafka [-- --brokers=3]`: runs a local Apache Kafka for development until it is interrupted.
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startLocalKafka } from './local-broker.ts'

const { values } = parseArgs({ options: { brokers: { type: 'string', default: '1' } } })
const brokers = Number(values.brokers)
if (!Number.isInteger(brokers) || brokers < 1 || brokers > 9) {
  console.error('--brokers takes a number from 1 to 9')
  process.exit(64)
}

const kafka = await startLocalKafka({ brokers, progress: (line) => console.error(line) })
console.log(`KAFKA_BROKERS=${kafka.brokers}`)
console.error('press Ctrl-C to stop it and remove its data')
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
await kafka.stop()
