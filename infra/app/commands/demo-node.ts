// `rollcall demo-node`: the recorded demo chain as an RPC endpoint on a port, for services that run as separate processes.
import { DEMO_NOTE } from '../../../ingest/contract/demo-chain.ts'
import { untilAborted } from '../../base/runtime/abort.ts'
import { AppError, isSystemError } from '../../base/runtime/errors.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import type { DemoNode } from '../demo/demo-node.ts'
import { readMachineConfig, serviceEnvironment } from '../machine-settings.ts'
import { type Command, type CommandContext, portOption, refuseArguments } from './command.ts'

/** The default port of CometBFT. */
const DEFAULT_PORT = 26_657

const start = async (context: CommandContext): Promise<DemoNode> => {
  const port = portOption(context, 'port') ?? DEFAULT_PORT
  const { demoBlockMs: blockMs, demoRecording } = readMachineConfig(context.env)
  const { openRecording } = await import('../demo/recording.ts')
  const { startDemoNode } = await import('../demo/demo-node.ts')
  try {
    return await startDemoNode({ recording: openRecording(demoRecording), port, blockMs })
  } catch (error) {
    if (!isSystemError(error) || error.syscall !== 'listen') throw error
    const message = `port ${port} cannot be used (${error.message}); choose another --port`
    throw new AppError('CONFIG_INVALID', message, { expose: true, cause: error })
  }
}

export const demoNode: Command = {
  name: 'demo-node',
  summary: 'serve the recorded demo chain as an RPC endpoint until Ctrl-C',
  options: {
    port: {
      type: 'string',
      value: '<n>',
      description: `port on loopback; 0 for any free port (default ${DEFAULT_PORT})`,
    },
  },
  examples: [
    {
      line: 'rollcall demo-node',
      description: 'print the settings for services; DEMO_BLOCK_MS sets the block time',
    },
  ],
  run: async (context) => {
    refuseArguments(context, demoNode)
    const { signal, terminal } = context
    const node = await start(context)
    const settings = { CHAIN_ID: node.chainId, ...serviceEnvironment({}, node.url) }
    for (const [name, value] of Object.entries(settings)) terminal.print(`${name}=${value}`)
    terminal.log(DEMO_NOTE)
    terminal.log(`serving ${node.chainId} from height ${node.height()}; press Ctrl-C to stop`)
    await untilAborted(signal)
    await node.close()
    return EXIT_CODES.ok
  },
}
