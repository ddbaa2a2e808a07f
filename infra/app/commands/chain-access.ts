// The chain for a command: the configured endpoints, or else the recorded demo chain.
import { endpointOptions, readIngestConfig } from '../../../ingest/config.ts'
import { onAbort } from '../../base/runtime/abort.ts'
import { systemClock } from '../../base/runtime/clock.ts'
import type { Environment } from '../../base/runtime/config.ts'
import { createLogger } from '../../base/runtime/logger.ts'
import { createMetrics } from '../../base/runtime/metrics.ts'
import type { IndexedBlock } from '../indexed-block.ts'
import { isDemo, readMachineConfig, serviceEnvironment } from '../machine-settings.ts'
import type { CommandContext } from './command.ts'

/** No new blocks are needed, only those in the log. */
const STANDSTILL_MS = 60_000

const startDemo = async (env: Environment, indexed: IndexedBlock) => {
  if (!isDemo(env)) return undefined
  const { startDemoChain } = await import('../start/demo-chain.ts')
  const { demoRecording: recordingDir } = readMachineConfig(env)
  return await startDemoChain({ blockMs: STANDSTILL_MS, recordingDir, indexed })
}

/** Refuses a chain other than that of the log. The caller closes it, which also aborts its calls. */
export const openChain = async (
  { env, signal, terminal }: CommandContext,
  indexed: IndexedBlock,
) => {
  const { createChainNode } = await import('../../../ingest/comet/node-pool.ts')
  const { withGovPackage } = await import('../../../ingest/chain/gov-package.ts')
  const { eventSelection } = await import('../../../ingest/derive/event-selection.ts')
  const demo = await startDemo(env, indexed)
  const config = readIngestConfig(serviceEnvironment(env, demo?.url))
  const logger = createLogger({
    service: 'verify',
    level: readMachineConfig(env).logLevel,
    destination: { write: (text) => terminal.log(text.trimEnd()) },
  })
  try {
    const node = await createChainNode({
      ...endpointOptions(config),
      chainId: indexed.chainId,
      selection: eventSelection,
      logger,
      metrics: createMetrics('verify'),
      signal,
    })
    onAbort(signal, () => void node.close())
    const close = async () => {
      await node.close()
      await demo?.close()
    }
    return { node: withGovPackage(node, { clock: systemClock, logger }), logger, close }
  } catch (error) {
    await demo?.close()
    throw error
  }
}
