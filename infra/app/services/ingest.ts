// Runs ingest as a separate process on Kafka: one leads and appends, the others are on standby.
import { readIngestConfig } from '../../../ingest/config.ts'
import { type IngestOptions, startIngest } from '../../../ingest/main.ts'
import { createMetrics } from '../../base/runtime/metrics.ts'
import { readTogether } from '../read-together.ts'
import { readDeployment } from './deployment.ts'
import { runLedService } from './led-service.ts'
import type { Running, Service, ServiceParts } from './service-process.ts'

export const runIngest = async (options: Omit<IngestOptions, 'metrics'>): Promise<Running> => {
  const metrics = createMetrics('ingest')
  const { done, readiness, close } = await startIngest({ ...options, metrics })
  return { metrics, done, readiness, close }
}

const readSettings = (env: ServiceParts['env']) =>
  readTogether({
    deployment: () => readDeployment(env),
    // A deployment has one chain: endpoints of another chain are refused.
    ingest: () => readIngestConfig(env),
  })

export const ingestService: Service = {
  name: 'ingest',
  start: async (parts) => {
    const { deployment, ingest: config } = readSettings(parts.env)
    const { logger } = parts
    const { createLeadership } = await import('./kafka.ts')
    const { openKafkaLog } = await import('../../base/log/kafka-log.ts')
    const begin = async (signal: AbortSignal): Promise<Running> => {
      // Opening it for writing fences the previous leader.
      const log = await openKafkaLog({ ...deployment, logger, signal })
      try {
        const ingest = await runIngest({ config, log, logger })
        return {
          ...ingest,
          close: async () => {
            await ingest.close()
            await log.close()
          },
        }
      } catch (error) {
        await log.close()
        throw error
      }
    }
    const leadership = createLeadership('ingest', deployment, logger)
    return runLedService({ ...parts, name: 'ingest', leadership, begin })
  },
}
