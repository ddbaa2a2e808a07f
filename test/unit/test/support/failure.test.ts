// Tests of how a failing test is shown: a reader can repeat it with one command.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { describeFailure, failureText } from '../../../support/suite/failure.ts'

const FILE = { project: 'unit', file: 'test/unit/a.test.ts' }
const COMMAND = 'run --config test/vitest.config.ts --project unit test/unit/a.test.ts'

/** The arguments that a shell reads from a command. */
const readArguments = (command: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trim()
    .split('\n')

describe('a failing test', () => {
  it('has its file, its name, the first line of its reason, and the command that repeats it', () => {
    const error = { message: '\n1 is not 2\nat all' }
    expect(describeFailure({ ...FILE, test: 'a sum is right' }, error)).toEqual({
      name: 'test/unit/a.test.ts: a sum is right',
      reason: '1 is not 2',
      repeat: `npx vitest ${COMMAND} -t 'a sum is right'`,
    })
  })

  it('is repeated on the Node of its suite', () => {
    const { repeat } = describeFailure(FILE, undefined, 'node-20 vitest.mjs')
    expect(repeat).toBe(`node-20 vitest.mjs ${COMMAND}`)
  })

  it('is found by its name, whatever characters the name has', () => {
    const test = `isn't "a+b" (or $c [d] \\ *)`
    const { repeat = '' } = describeFailure({ ...FILE, test })
    const pattern = readArguments(repeat).at(-1) ?? ''
    expect(new RegExp(`^${pattern}$`).test(test)).toBe(true)
  })

  it('has no command if it is outside of every file', () => {
    expect(describeFailure({}, { message: 'late' })).toEqual({
      name: 'outside of every file',
      reason: 'late',
    })
  })

  it('is shown with the difference, the nearest calls and the command', () => {
    const stacks = [1, 2, 3, 4].map((line) => ({ file: '/a.ts', line }))
    const failure = describeFailure(FILE, { message: '1 is not 2' })
    expect(failureText(failure, { message: '1 is not 2', diff: '- 2\n+ 1', stacks })).toBe(
      [
        '✗ test/unit/a.test.ts',
        '    1 is not 2',
        '    - 2',
        '    + 1',
        '    at /a.ts:1',
        '    at /a.ts:2',
        '    at /a.ts:3',
        `    repeat: npx vitest ${COMMAND}`,
        '',
      ].join('\n'),
    )
  })

  it('is shown with at most 40 lines of a long text', () => {
    const lines = Array.from({ length: 50 }, (_, at) => `line ${at}`)
    const shown = failureText(describeFailure({}), { message: lines.join('\n') }).split('\n')
    expect(shown.slice(-3)).toEqual(['    line 39', '    … 10 more lines', ''])
  })
})
