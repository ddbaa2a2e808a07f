// The logs of a deployment on Kafka, and which process leads. Only processes that use Kafka load this module.
import type { EventLog } from '../../base/log/event-log.ts'
import { createKafkaLeadership } from '../../base/log/kafka-leadership.ts'
import { openKafkaSharedLog } from '../../base/log/kafka-log.ts'
import type { Leadership } from '../../base/log/leadership.ts'
import { hasCode } from '../../base/runtime/errors.ts'
import type { Lifecycle } from '../../base/runtime/lifecycle.ts'
import type { Logger } from '../../base/runtime/logger.ts'
import type { Deployment } from './deployment.ts'

/** One process of each service leads. */
export const createLeadership = (
  service: 'ingest' | 'projections',
  deployment: Deployment,
  logger: Logger,
): Leadership =>
  createKafkaLeadership({
    ...deployment,
    groupId: `rollcall-${service}-${deployment.chainId}`,
    logger,
  })

/** A topic that would lose facts ends the process; unavailable brokers only delay it. */
export const openAgentsOnKafka = (
  deployment: Deployment,
  { logger, lifecycle }: { logger: Logger; lifecycle: Pick<Lifecycle, 'fail'> },
  readOnly: boolean,
): EventLog => {
  const { log, checked } = openKafkaSharedLog({
    ...deployment,
    subject: 'agents',
    logger,
    readOnly,
  })
  checked.catch((error: unknown) => {
    if (!hasCode(error, 'ABORTED')) lifecycle.fail(error)
  })
  return log
}
