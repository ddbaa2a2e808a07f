// `rollcall export`: the event log as NDJSON, for backup or migration; or its events as Parquet, for analysts.
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type ByteSink, createByteSink } from '../../base/runtime/byte-sink.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import {
  type Command,
  type CommandContext,
  refuseArguments,
  textOption,
  UsageError,
} from './command.ts'
import { type HeightRange, RANGE_OPTIONS, readRange } from './height-range.ts'
import { createLargeFile, type LargeFile } from './large-file.ts'
import { openLog } from './log-access.ts'
import { createProgressLine } from './progress-line.ts'
import { withStore } from './store-access.ts'

type ExportRequest = HeightRange & { out: string }

const STANDARD_OUTPUT = '-'

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** A wrong name is reported before anything is read, not at the end of a long export. */
const checkFileName = (out: string): void => {
  const directory = dirname(resolve(out))
  if (!isDirectory(directory)) throw new UsageError(`--out: there is no directory ${directory}`)
  if (isDirectory(out)) throw new UsageError(`--out: ${out} is a directory; name a file in it`)
}

/** Writes to standard output, or to a file that appears only when it is complete. */
const withSink = async <Result>(
  { process, signal }: CommandContext,
  out: string,
  write: (sink: ByteSink) => Promise<Result>,
): Promise<Result> => {
  if (out === STANDARD_OUTPUT) return await write(createByteSink(process.stdout, signal))
  const file: LargeFile = await createLargeFile(out, signal)
  try {
    const result = await write(file)
    await file.commit()
    return result
  } catch (error) {
    await file.abandon()
    throw error
  }
}

/** If the export goes to standard output, messages go to standard error. */
const report = (context: CommandContext, out: string, facts: object, text: string): void => {
  const line = context.options['json'] ? JSON.stringify(facts) : text
  if (out === STANDARD_OUTPUT) context.terminal.log(line)
  else context.terminal.print(line)
}

const exportLines = async (
  context: CommandContext,
  { from, to, out }: ExportRequest,
): Promise<void> => {
  const { exportLog } = await import('../tools/log/export-log.ts')
  const { signal, version, process } = context
  const progress = createProgressLine(process.stderr, { what: 'exported: height', unit: 'heights' })
  const { log, close } = await openLog(context)
  try {
    const exported = await withSink(context, out, (sink) =>
      exportLog({
        log,
        range: { from, to },
        version,
        sink,
        signal,
        onProgress: (height, range) =>
          progress.show(height - range.from + 1, range.to - range.from + 1),
      }),
    )
    progress.end()
    const { records, wrapped, reasons, sha256 } = exported
    const lines = [
      `${exported.whole ? 'exported' : 'the reader closed the pipe: exported part of'} heights ${exported.from} to ${exported.to} of ${exported.chainId}: ${records} records, SHA-256 ${sha256}`,
      ...(wrapped > 0 ? [`${wrapped} records are undecodable and exported as base64:`] : []),
      ...reasons.map(({ offset, height, reason }) => `  height ${height}, ${offset}: ${reason}`),
    ]
    report(context, out, { out, ...exported }, lines.join('\n'))
  } finally {
    progress.end()
    await close()
  }
}

const exportParquet = async (
  context: CommandContext,
  { from, to, out }: ExportRequest,
): Promise<void> => {
  if (out === STANDARD_OUTPUT) throw new UsageError('--format parquet needs --out <file>')
  const { exportEvents } = await import('../../../projections/export-events.ts')
  const { env, signal, process } = context
  const progress = createProgressLine(process.stderr, { what: 'written: byte', unit: 'bytes' })
  const onBytes = (bytes: number) => progress.show(bytes, bytes)
  try {
    const exported = await withStore(env, (store) =>
      withSink(context, out, (sink) => exportEvents({ store, from, to, sink, signal, onBytes })),
    )
    progress.end()
    const text = `exported ${exported.rows} events of heights up to ${exported.to} (${exported.bytes} bytes) to ${out}`
    report(context, out, { out, ...exported }, text)
  } finally {
    progress.end()
  }
}

export const exportCommand: Command = {
  name: 'export',
  summary: 'write the event log or a range of heights to a file',
  options: {
    ...RANGE_OPTIONS,
    out: {
      type: 'string',
      value: '<file>',
      description: 'output file, gzipped if it ends with .gz (default -: standard output)',
    },
    format: {
      type: 'string',
      value: '<name>',
      description: 'ndjson (default) or parquet',
    },
    json: { type: 'boolean', description: 'print a summary as JSON' },
  },
  examples: [
    {
      line: 'rollcall export --out log.ndjson.gz',
      description: 'export the whole log: header, one event per line, trailer with checksum',
    },
    {
      line: 'rollcall export --from 1000 --to 2000 | jq -r .type | sort | uniq -c',
      description: 'export heights 1000 to 2000 and count event types',
    },
    {
      line: 'rollcall export --format parquet --out events.parquet',
      description: 'export the table of events from the ClickHouse of the running Rollcall',
    },
  ],
  run: async (context) => {
    refuseArguments(context, exportCommand)
    const format = textOption(context, 'format') ?? 'ndjson'
    const request = { ...readRange(context), out: textOption(context, 'out') ?? STANDARD_OUTPUT }
    if (request.out !== STANDARD_OUTPUT) checkFileName(request.out)
    if (format === 'ndjson') await exportLines(context, request)
    else if (format === 'parquet') await exportParquet(context, request)
    else throw new UsageError(`--format must be ndjson or parquet, not "${format}"`)
    return EXIT_CODES.ok
  },
}
