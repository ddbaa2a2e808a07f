// Ingest as a process of its own, on Kafka: one leads and appends, the others stand by.
import { readIngestConfig } from '../../../ingest/config.ts'
import { openKafkaLog } from '../../log/kafka-log.ts'
import { createMetrics } from '../../runtime/metrics.ts'
import { readTogether } from '../supervisor/read-together.ts'
import { leadershipOf, readDeployment } from './deployment.ts'
import { runLedService, type Term } from './led-service.ts'
import type { Service, ServiceParts } from './service-process.ts'

const readSettings = (env: ServiceParts['env']) =>
  readTogether({
    deployment: () => readDeployment(env),
    // One deployment is of one chain: endpoints of another are refused.
    ingest: () => readIngestConfig(env),
  })

export const ingestService: Service = {
  name: 'ingest',
  start: async (parts) => {
    const { deployment, ingest: config } = readSettings(parts.env)
    const { logger } = parts
    const { startIngest } = await import('../../../ingest/main.ts')
    const begin = async (signal: AbortSignal): Promise<Term> => {
      // Opening it for writing fences whoever led before.
      const log = await openKafkaLog({ ...deployment, logger, signal })
      const metrics = createMetrics('ingest')
      try {
        const ingest = await startIngest({ config, log, logger, metrics })
        return {
          metrics,
          done: ingest.done,
          readiness: ingest.readiness,
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
    const leadership = leadershipOf('ingest', deployment, logger)
    return runLedService({ ...parts, name: 'ingest', leadership, begin })
  },
}
