// `rollcall top`: a live view of this machine or of services, from their operator ports. Read-only.
import { linkedAbort } from '../../runtime/abort.ts'
import { systemClock } from '../../runtime/clock.ts'
import { readConfig } from '../../runtime/config.ts'
import { EXIT_CODES } from '../../runtime/exit-codes.ts'
import { operatorsSettings } from '../../runtime/operators-server.ts'
import { readRunFile } from '../data-dir/data-dir.ts'
import { machineSettings } from '../supervisor/settings.ts'
import { openScreen } from '../terminal/screen.ts'
import { createAlertHistory } from '../top/alerts.ts'
import { type FrameContents, frameLines, summaryLine } from '../top/frame.ts'
import { createOverview } from '../top/overview.ts'
import { type Reading, readInstance } from '../top/reading.ts'
import { hasColours, styledText } from '../top/style.ts'
import {
  type Command,
  type CommandContext,
  numberOption,
  refuseArguments,
  requireHttpUrl,
  textsOption,
} from './command.ts'
import { repeatEvery } from './repeat.ts'

const DEFAULT_INTERVAL_SECONDS = 1
/** With `--once` the view may be longer than a screen. */
const UNLIMITED_ROWS = 1_000
const WITHOUT_TERMINAL = { columns: 120 }

/** The port of the Rollcall that runs in the data directory, else the default port of a service. */
const ownUrl = ({ env }: CommandContext): string => {
  const { dataDir } = readConfig({ dataDir: machineSettings.dataDir }, env)
  const { operatorsHost: host, operatorsPort: port } = readConfig(operatorsSettings, env)
  const name = host.includes(':') ? `[${host}]` : host
  return readRunFile(dataDir)?.operatorsUrl ?? `http://${name}:${port}`
}

const readUrls = (context: CommandContext): readonly string[] => {
  const urls = textsOption(context, 'url').map((url) => requireHttpUrl(url, 'url'))
  return urls.length > 0 ? urls : [ownUrl(context)]
}

/** Each call reads every instance again. */
const createReader = (urls: readonly string[], signal: AbortSignal) => {
  const history = createAlertHistory()
  let before: readonly Reading[] = []
  return async (): Promise<FrameContents> => {
    const now = await Promise.all(urls.map((url) => readInstance(url, signal)))
    const atMs = Date.now()
    const contents = {
      overview: createOverview(before, now),
      alerts: history.update(now, atMs),
      atMs,
    }
    before = now
    return contents
  }
}

type Read = ReturnType<typeof createReader>

/** Two readings, since a rate needs both. */
const printOnce = async (context: CommandContext, read: Read, everyMs: number): Promise<number> => {
  const { terminal, process, signal, env } = context
  await read()
  await systemClock.sleep(everyMs, signal)
  const contents = await read()
  const { stdout } = process
  const size = { columns: stdout.columns || WITHOUT_TERMINAL.columns, rows: UNLIMITED_ROWS }
  const isColoured = hasColours(stdout.isTTY, env['NO_COLOR'])
  for (const line of frameLines(contents, size)) terminal.print(styledText(line, isColoured))
  const { reached, total } = contents.overview
  return reached === total ? EXIT_CODES.ok : EXIT_CODES.differs
}

const printLines = ({ terminal, signal }: CommandContext, read: Read, everyMs: number) =>
  repeatEvery(everyMs, signal, async () => terminal.print(summaryLine(await read())))

const showScreen = async (context: CommandContext, read: Read, everyMs: number): Promise<void> => {
  const { process, env } = context
  const ending = linkedAbort(context.signal)
  const screen = openScreen({
    input: process.stdin,
    output: process.stdout,
    onExit: (listener) => process.on('exit', listener),
    onQuit: () => ending.abort(),
  })
  const isColoured = hasColours(true, env['NO_COLOR'])
  try {
    await repeatEvery(everyMs, ending.signal, async () => {
      const contents = await read()
      if (ending.signal.aborted) return
      const lines = frameLines(contents, screen.size())
      screen.draw(lines.map((line) => styledText(line, isColoured)))
    })
  } finally {
    screen.close()
    ending.unlink()
  }
}

export const top: Command = {
  name: 'top',
  summary: 'show heights, lag, rates, leaders, queues and alerts live',
  options: {
    url: {
      type: 'string',
      multiple: true,
      value: '<address>',
      description: 'operator port, repeatable (default: this machine)',
    },
    interval: {
      type: 'string',
      value: '<s>',
      description: `refresh interval in seconds (default ${DEFAULT_INTERVAL_SECONDS})`,
    },
    once: {
      type: 'boolean',
      description: 'print once and exit; exit code 1 if a port is unreachable',
    },
  },
  examples: [
    { line: 'rollcall top', description: 'show this machine; press q or Ctrl-C to quit' },
    {
      line: 'rollcall top --url http://ingest-1:9090 --url http://ingest-2:9090 --url http://api-1:9090',
      description: 'show services; without a terminal, print one line per interval',
    },
  ],
  run: async (context) => {
    refuseArguments(context, top)
    const seconds = numberOption(context, 'interval', { min: 1 }) ?? DEFAULT_INTERVAL_SECONDS
    const everyMs = seconds * 1000
    const read = createReader(readUrls(context), context.signal)
    if (context.options['once']) return await printOnce(context, read, everyMs)
    const { stdin, stdout } = context.process
    if (stdout.isTTY && stdin.isTTY) await showScreen(context, read, everyMs)
    else await printLines(context, read, everyMs)
    return EXIT_CODES.ok
  },
}
