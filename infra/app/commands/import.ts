// `rollcall import`: an exported log into this one, which is empty or shorter.
import { statSync } from 'node:fs'
import { EXIT_CODES } from '../../runtime/exit-codes.ts'
import { type Command, UsageError } from './command.ts'
import { openLog } from './log-access.ts'
import { createProgressLine, type ProgressLine } from './progress-line.ts'

const readFile = ([file, ...rest]: readonly string[]): { file: string; size: number } => {
  if (file === undefined) throw new UsageError('"import" needs a file that "export" wrote')
  if (rest.length > 0) throw new UsageError(`"import" takes one file, but got "${rest[0]}"`)
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile()) throw new UsageError(`there is no file ${file}; it is read twice`)
  return { file, size: found.size }
}

export const importCommand: Command = {
  name: 'import',
  summary: 'append an exported log to an empty or shorter one',
  arguments: '<file>',
  options: { json: { type: 'boolean', description: 'what was imported, as JSON' } },
  examples: [
    {
      line: 'DATA_DIR=/srv/rollcall rollcall import log.ndjson.gz',
      description:
        'proves the file, compares what the log has already, appends the rest; run it again to continue',
    },
  ],
  run: async (context) => {
    const { signal, options, terminal, process } = context
    const { file, size } = readFile(context.args)
    const { importLog } = await import('../../tools/log/import-log.ts')
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
      const text = `imported ${chainId} into ${name}: appended ${appended} marked heights (${records} records), ${present} were there; the log ends at height ${height}`
      terminal.print(options['json'] ? JSON.stringify({ file, ...imported }) : text)
      return EXIT_CODES.ok
    } finally {
      endProgress()
      await close()
    }
  },
}
