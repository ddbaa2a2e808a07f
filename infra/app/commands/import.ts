// `rollcall import`: appends an exported log to an empty or shorter one.
import { statSync } from 'node:fs'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { type Command, UsageError } from './command.ts'
import { openLog } from './log-access.ts'
import { createProgressLine, type ProgressLine } from './progress-line.ts'

const readFile = ([file, ...rest]: readonly string[]): { file: string; size: number } => {
  if (file === undefined) throw new UsageError('"import" needs a file written by "export"')
  if (rest.length > 0) throw new UsageError(`"import" takes one file, got "${rest[0]}" too`)
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile())
    throw new UsageError(`${file} is not a file; import cannot read a pipe, because it reads twice`)
  return { file, size: found.size }
}

export const importCommand: Command = {
  name: 'import',
  summary: 'append an exported log that you trust to an empty or shorter one',
  arguments: '<file>',
  options: { json: { type: 'boolean', description: 'print a summary as JSON' } },
  examples: [
    {
      line: 'DATA_DIR=/srv/rollcall rollcall import log.ndjson.gz',
      description: 'verify the file, compare it with the log, append the rest; run again to resume',
    },
  ],
  run: async (context) => {
    const { signal, options, terminal, process } = context
    const { file, size } = readFile(context.args)
    const { importLog } = await import('../tools/log/import-log.ts')
    const lines: Record<'checking' | 'importing', ProgressLine> = {
      checking: createProgressLine(process.stderr, { what: 'checking: byte', unit: 'bytes' }),
      importing: createProgressLine(process.stderr, { what: 'importing: byte', unit: 'bytes' }),
    }
    const endProgress = () => {
      for (const line of Object.values(lines)) line.end()
    }
    const { log, name, close } = await openLog(context, 'write')
    try {
      const onProgress = (step: keyof typeof lines, bytes: number) => lines[step].show(bytes, size)
      const imported = await importLog({ log, file, signal, onProgress })
      endProgress()
      const { chainId, appended, present, records, height } = imported
      const text = `imported ${chainId} into ${name}: appended ${appended} marked heights (${records} records), ${present} already present; the log ends at height ${height}`
      terminal.print(options['json'] ? JSON.stringify({ file, ...imported }) : text)
      return EXIT_CODES.ok
    } finally {
      endProgress()
      await close()
    }
  },
}
