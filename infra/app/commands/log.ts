// `rollcall export`, `import` and `replay`: the event log as NDJSON, for backup, migration or a pipe.
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { openLog } from '../open-data.ts'
import { createProgressLine } from '../terminal/progress.ts'
import { toSafeText } from '../terminal/terminal.ts'
import type { Output } from '../tools/log/lines.ts'
import {
  type Command,
  type CommandContext,
  numberOption,
  type Option,
  parseProposalId,
  requireArgument,
  textOption,
  UsageError,
} from './command.ts'

type HeightRange = { from: number; to: number }

const RANGE_OPTIONS: Readonly<Record<keyof HeightRange, Option>> = {
  from: ['<height>', 'first height (default: first of the log)'],
  to: ['<height>', 'last height (default: last of the log)'],
}

const readRange = (context: CommandContext): HeightRange => {
  const from = numberOption(context, 'from', { min: 0 }) ?? 0
  const to = numberOption(context, 'to', { min: 0 }) ?? Number.POSITIVE_INFINITY
  if (from > to) {
    throw new UsageError(`--from ${from} must not be above --to ${to}`)
  }
  return { from, to }
}

const STANDARD_OUTPUT = '-'

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** A wrong name is reported before anything is read, not at the end of a long export. */
const checkFileName = (out: string): void => {
  const directory = dirname(resolve(out))
  if (!isDirectory(directory)) throw new UsageError(`--out: there is no directory ${directory}`)
  if (isDirectory(out)) throw new UsageError(`--out: ${out} is a directory; name a file in it`)
}

async function* toSafeChunks(chunks: AsyncIterable<Uint8Array>) {
  for await (const chunk of chunks) yield Buffer.from(toSafeText(Buffer.from(chunk).toString()))
}

/** A pipe gets the bytes as they are; text of others must not control a terminal. */
const standardOutput = async ({ process, signal }: CommandContext): Promise<Output> => {
  const { writeTo } = await import('../tools/log/lines.ts')
  const write = writeTo(process.stdout, signal)
  return process.stdout.isTTY ? (chunks) => write(toSafeChunks(chunks)) : write
}

/** If the export goes to standard output, messages go to standard error. */
const report = (context: CommandContext, out: string, facts: object, text: string): void => {
  const line = context.options['json'] ? JSON.stringify(facts) : text
  if (out === STANDARD_OUTPUT) context.terminal.log(line)
  else context.terminal.print(line)
}

const exportLines = async (context: CommandContext, out: string): Promise<void> => {
  const { exportLog } = await import('../tools/log/move-log.ts')
  const { writeLargeFile } = await import('../tools/log/lines.ts')
  const { signal, version, process } = context
  const progress = createProgressLine(process.stderr, 'exported: height', 'heights')
  const { log, close } = await openLog(context)
  try {
    const isStandard = out === STANDARD_OUTPUT
    const output = isStandard ? await standardOutput(context) : writeLargeFile(out, signal)
    const options = { ...readRange(context), version, signal, onProgress: progress.show }
    const exported = await exportLog({ ...options, log, output })
    progress.end()
    const { records, wrapped, sha256, whole, chainId } = exported
    const what = whole ? 'exported' : 'the reader closed the pipe: exported part of'
    const lines = [
      `${what} heights ${exported.from} to ${exported.to} of ${chainId}: ${records} records, SHA-256 ${sha256}`,
      ...(wrapped > 0 ? [`${wrapped} records are undecodable and exported as base64`] : []),
    ]
    report(context, out, { out, ...exported }, lines.join('\n'))
  } finally {
    progress.end()
    await close()
  }
}

export const exportCommand: Command = {
  name: 'export',
  summary: 'write the event log or a range of heights to a file',
  options: {
    ...RANGE_OPTIONS,
    out: ['<file>', 'output file, gzipped if it ends with .gz (default -: standard output)'],
    json: 'print a summary as JSON',
  },
  examples: [
    [
      'rollcall export --out log.ndjson.gz',
      'export the whole log: header, one event per line, trailer with checksum',
    ],
    [
      'rollcall export --from 1000 --to 2000 | jq -r .type | sort | uniq -c',
      'export heights 1000 to 2000 and count event types',
    ],
  ],
  run: async (context) => {
    const out = textOption(context, 'out') ?? STANDARD_OUTPUT
    if (out !== STANDARD_OUTPUT) checkFileName(out)
    await exportLines(context, out)
    return EXIT_CODES.ok
  },
}

export const importCommand: Command = {
  name: 'import',
  summary: 'append an exported log that you trust to an empty or shorter one',
  arguments: '<file>',
  options: { json: 'print a summary as JSON' },
  examples: [
    [
      'DATA_DIR=/srv/rollcall rollcall import log.ndjson.gz',
      'verify the file, compare it with the log, append the rest; run again to resume',
    ],
  ],
  run: async (context) => {
    const { signal, options, terminal, process } = context
    const file = requireArgument(context, 'import', 'one file written by "export"')
    const found = statSync(file, { throwIfNoEntry: false })
    if (!found?.isFile()) {
      throw new UsageError(`${file} is not a file; import cannot read a pipe: it reads twice`)
    }
    const { importLog } = await import('../tools/log/move-log.ts')
    const steps = {
      checking: createProgressLine(process.stderr, 'checking: byte', 'bytes'),
      importing: createProgressLine(process.stderr, 'importing: byte', 'bytes'),
    }
    const onProgress = (step: keyof typeof steps, bytes: number) =>
      steps[step].show(bytes, found.size)
    const { log, name, close } = await openLog(context, 'write')
    try {
      const imported = await importLog({ log, file, signal, onProgress })
      const { chainId, appended, present, records, height } = imported
      const text = `imported ${chainId} into ${name}: appended ${appended} marked heights (${records} records), ${present} already present; the log ends at height ${height}`
      steps.importing.end()
      terminal.print(options['json'] ? JSON.stringify({ file, ...imported }) : text)
      return EXIT_CODES.ok
    } finally {
      steps.checking.end()
      steps.importing.end()
      await close()
    }
  },
}

const fullType = (name: string): string => (/^rollcall\./.test(name) ? name : `rollcall.${name}.v1`)

const readTypes = async (context: CommandContext): Promise<ReadonlySet<string> | undefined> => {
  const given = textOption(context, 'type')
  if (given === undefined) return undefined
  const { GovernanceEvent } = await import('../../../ingest/contract/events.ts')
  const known = GovernanceEvent.anyOf.map(({ properties }) => properties.type.const as string)
  const types = given.split(',').map((name) => fullType(name.trim()))
  const unknown = types.find((type) => !known.includes(type))
  if (unknown === undefined) return new Set(types)
  const short = known.map((type) => type.replace(/^rollcall\.|\.v1$/g, ''))
  throw new UsageError(`unknown event type ${unknown}; types: ${short.join(', ')}`)
}

export const replay: Command = {
  name: 'replay',
  summary: 'print the events of the log as NDJSON',
  options: {
    ...RANGE_OPTIONS,
    type: ['<names>', 'only these types, separated by commas, such as vote.cast'],
    proposal: ['<id>', 'only events of this proposal'],
    follow: 'keep printing new events until Ctrl-C',
    json: 'no effect: the output is always JSON',
  },
  examples: [
    [
      'rollcall replay --from 1000 --to 2000 --type vote.cast | jq -r .data.voter',
      'print the voters in these heights',
    ],
    ['rollcall replay --proposal 7 --follow', 'follow one proposal live'],
  ],
  run: async (context) => {
    const { signal, options, terminal } = context
    const proposal = textOption(context, 'proposal')
    const filter = {
      ...readRange(context),
      types: await readTypes(context),
      proposalId: proposal === undefined ? undefined : parseProposalId(proposal),
      follow: options['follow'] === true,
    }
    const { replayLog } = await import('../tools/log/move-log.ts')
    const { log, close } = await openLog(context)
    try {
      const output = await standardOutput(context)
      const { undecodable } = await replayLog({ log, ...filter, output, signal })
      if (undecodable > 0) terminal.log(`skipped ${undecodable} undecodable records`)
      return EXIT_CODES.ok
    } finally {
      await close()
    }
  },
}
