// Runs ingest as a separate process on Kafka: one leads and appends, the others are on standby.
import { readIngestConfig } from '../../../ingest/config.ts'
import { type IngestOptions, startIngest } from '../../../ingest/main.ts'
import { createMetrics } from '../../base/runtime/metrics.ts'
import { readTogether } from '../read-together.ts'
import { readDeployment, runLedService, type Term } from './deployment.ts'
import type { Running, Service } from './service-process.ts'

export const runIngest = async (options: Omit<IngestOptions, 'metrics'>): Promise<Running> => {
  const metrics = createMetrics('ingest')
  const { done, readiness, close } = await startIngest({ ...options, metrics })
  return { metrics, done, readiness, close }
}

export const ingestService: Service = {
  name: 'ingest',
  start: async (parts) => {
    const { env, logger } = parts
    // A deployment has one chain: endpoints of another chain are refused.
    const { deployment, config } = readTogether({
      deployment: () => readDeployment(env),
      config: () => readIngestConfig(env),
    })
    const { createLeadership } = await import('./kafka.ts')
    const { openKafkaLog } = await import('../../base/log/kafka-log.ts')
    const begin = async ({ signal, closeLater }: Term): Promise<Running> => {
      // Opening it for writing fences the previous leader.
      const log = closeLater(await openKafkaLog({ ...deployment, logger, signal }))
      return await runIngest({ config, log, logger })
    }
    const leadership = createLeadership('ingest', deployment, logger)
    return runLedService({ ...parts, name: 'ingest', leadership, begin })
  },
}
