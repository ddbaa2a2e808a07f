// Installs Schemathesis from PyPI in the version of test/tools.
import { fileURLToPath } from 'node:url'
import { type CommandRun, runToEnd } from '../process/command.ts'
import { pythonWith } from '../process/python.ts'

const REQUIREMENTS = fileURLToPath(new URL('../../tools/requirements.txt', import.meta.url))

export const runSchemathesis = async (
  args: readonly string[],
  options: { cwd: string; deadlineMs: number },
): Promise<CommandRun> => {
  const python = await pythonWith({ name: 'schemathesis', requirements: REQUIREMENTS })
  const command = ['-c', 'from schemathesis.cli import schemathesis; schemathesis()', ...args]
  return runToEnd(python, command, options)
}
