// Tests of `rollcall export`: a file that cannot be written is refused before the log is opened.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../../../infra/app/commands/command.ts'
import { exportCommand } from '../../../../../infra/app/commands/log.ts'
import { createTerminal } from '../../../../../infra/app/terminal/terminal.ts'

const ABSENT = join(tmpdir(), 'rollcall-absent-directory')

const exportTo = (out: string) => {
  const output = { write: () => true }
  return exportCommand.run({
    args: [],
    options: { out },
    env: { DATA_DIR: ABSENT },
    process,
    version: '0.0.0',
    terminal: createTerminal(output, output),
    signal: AbortSignal.timeout(5_000),
  })
}

describe('rollcall export', () => {
  it.each([
    [join(ABSENT, 'log.ndjson'), `--out: there is no directory ${ABSENT}`],
    [tmpdir(), `--out: ${tmpdir()} is a directory; name a file in it`],
  ])('refuses to write to %s', async (out, message) => {
    const refused = exportTo(out)
    await expect(refused).rejects.toThrow(UsageError)
    await expect(refused).rejects.toThrow(message)
  })
})
