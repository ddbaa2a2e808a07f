// Runs ingest as a separate process on Kafka: one leads and appends, the others are on standby.
import { readIngestConfig } from '../../../ingest/config.ts'
import { openKafkaLog } from '../../base/log/kafka-log.ts'
import { readTogether } from '../supervisor/read-together.ts'
import { createLeadership, readDeployment } from './deployment.ts'
import { runLedService } from './led-service.ts'
import type { Service, ServiceParts } from './service-process.ts'
import { type Running, runIngest } from './wiring.ts'

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
