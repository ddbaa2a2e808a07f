// A process that competes for leadership and appends heights to the log on Kafka while it leads.
// It prints its actions, one JSON object per line; arguments: brokers, chain id, group id.
import { writeSync } from 'node:fs'
import { createKafkaLeadership } from '../../../infra/base/log/kafka-leadership.ts'
import { openKafkaLog } from '../../../infra/base/log/kafka-log.ts'
import { silentLogger } from '../process/log-lines.ts'
import { appendWhile } from './heights.ts'
import { kafkaConfig } from './kafka-log-storage.ts'

const [brokers = '', chainId = '', groupId = ''] = process.argv.slice(2)
const report = (message: object) => {
  writeSync(1, `${JSON.stringify({ ...message, atMs: Date.now() })}\n`)
}

const settings = kafkaConfig(brokers)
const logger = silentLogger()
const leadership = createKafkaLeadership({ settings, groupId, logger })
const stopping = new AbortController()
process.once('SIGTERM', () => stopping.abort())
// Ends with the tests; otherwise this process would never end.
process.stdin.resume().once('end', () => process.exit(1))

report({ event: 'started' })
await leadership.lead(async (signal) => {
  report({ event: 'began' })
  const log = await openKafkaLog({ settings, chainId, logger, signal })
  try {
    await appendWhile(log, () => !signal.aborted, {
      onAppended: (height) => report({ height }),
    })
  } finally {
    await log.close()
    report({ event: 'ended' })
  }
}, stopping.signal)
report({ event: 'left' })
process.exit(0)
