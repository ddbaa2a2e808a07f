// `rollcall clickhouse`: the embedded ClickHouse as a server on a port, for services that run as separate processes.
import { Type } from 'typebox'
import {
  type EmbeddedClickHouse,
  startEmbeddedClickHouse,
} from '../../base/clickhouse/embedded-server.ts'
import { LOOPBACK } from '../../base/clickhouse/free-ports.ts'
import { storeSettings } from '../../base/clickhouse/settings.ts'
import { untilAborted } from '../../base/runtime/abort.ts'
import { type Environment, readConfig } from '../../base/runtime/config.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { createLogger } from '../../base/runtime/logger.ts'
import { isPortFree } from '../../base/runtime/ports.ts'
import { openDataDir } from '../data-dir/data-dir.ts'
import { readMachineConfig } from '../machine-settings.ts'
import { newPassword } from '../start/engine.ts'
import {
  type Command,
  type CommandContext,
  portOption,
  refuseArguments,
  textOption,
} from './command.ts'

/** The default port of ClickHouse. */
const DEFAULT_PORT = 8123

/** The engine reports a taken port only in its own log, after a minute. */
const requireFree = async (port: number): Promise<void> => {
  if (await isPortFree(LOOPBACK, port)) return
  const message = `port ${port} is in use or not permitted; choose another --port`
  throw new AppError('CONFIG_INVALID', message, { expose: true })
}

const readPassword = (env: Environment): string | undefined =>
  readConfig(Type.Pick(storeSettings, ['clickhousePassword']), env).clickhousePassword

/** A password from the environment is not printed: the caller has it. */
const report = ({ terminal }: CommandContext, engine: EmbeddedClickHouse, ownPassword?: string) => {
  terminal.print(`CLICKHOUSE_URL=${engine.url}`)
  terminal.print(`CLICKHOUSE_USERNAME=${engine.username}`)
  if (ownPassword === undefined) terminal.print(`CLICKHOUSE_PASSWORD=${engine.password}`)
}

const serve = async (context: CommandContext, storePath: string): Promise<number> => {
  const { env, signal, terminal } = context
  const config = readMachineConfig(env)
  const ownPassword = readPassword(env)
  const httpPort =
    portOption(context, 'port', { min: 1 }) ?? config.clickhouseHttpPort ?? DEFAULT_PORT
  await requireFree(httpPort)
  const engine = await startEmbeddedClickHouse({
    dataDir: storePath,
    httpPort,
    tcpPort: config.clickhouseTcpPort,
    password: ownPassword ?? newPassword(),
    logger: createLogger({
      service: 'clickhouse',
      level: config.logLevel,
      destination: { write: (text) => terminal.log(text.trimEnd()) },
    }),
  })
  report(context, engine, ownPassword)
  terminal.log(`serving ${storePath}; press Ctrl-C to stop, the data is kept`)
  const ended = await Promise.race([engine.exited, untilAborted(signal)])
  await engine.close()
  if (!ended) return EXIT_CODES.ok
  terminal.log(`rollcall: ClickHouse ended with ${ended.signal ?? `exit code ${ended.code}`}`)
  return EXIT_CODES.software
}

export const clickhouse: Command = {
  name: 'clickhouse',
  summary: 'run the embedded ClickHouse as a server until Ctrl-C',
  options: {
    port: {
      type: 'string',
      value: '<n>',
      description: `HTTP port on loopback (default CLICKHOUSE_HTTP_PORT, else ${DEFAULT_PORT})`,
    },
    'data-dir': {
      type: 'string',
      value: '<directory>',
      description: 'data directory, not used by another Rollcall (default DATA_DIR)',
    },
  },
  examples: [
    {
      line: 'CLICKHOUSE_PASSWORD=… rollcall clickhouse --data-dir /srv/rollcall-store',
      description:
        'print the URL and the user; without CLICKHOUSE_PASSWORD, generate and print a password',
    },
  ],
  run: async (context) => {
    refuseArguments(context, clickhouse)
    const { dataDir } = readMachineConfig(context.env)
    const directory = await openDataDir(textOption(context, 'data-dir') ?? dataDir)
    try {
      return await serve(context, directory.storePath)
    } finally {
      await directory.release()
    }
  },
}
