// The logs of a deployment on Kafka, and which process leads. Only processes that use Kafka load this module.
import type { EventLog } from '../../base/log/event-log.ts'
import { createKafkaLeadership, type Leadership } from '../../base/log/kafka-leadership.ts'
import { openKafkaSharedLog } from '../../base/log/kafka-log.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import { type Deployment, failLater } from './deployment.ts'
import type { Host } from './service-process.ts'

/** One process of each service leads. */
export function createLeadership(
  service: 'ingest' | 'projections',
  deployment: Deployment,
  logger: Logger,
): Leadership {
  const groupId = `rollcall-${service}-${deployment.chainId}`
  return createKafkaLeadership({ ...deployment, groupId, logger })
}

/** A topic that would lose facts ends the process; unavailable brokers only delay it. */
export function openAgentsOnKafka(
  deployment: Deployment,
  { logger, lifecycle }: Pick<Host, 'logger' | 'lifecycle'>,
  readOnly: boolean,
): EventLog {
  const options = { ...deployment, subject: 'agents', logger, readOnly } as const
  const { log, checked } = openKafkaSharedLog(options)
  failLater(checked, lifecycle)
  return log
}
