// Parsing of arguments, and the errors of wrong ones.
import { describe, expect, it } from 'vitest'
import type { Command } from '../../../../../infra/app/commands/command.ts'
import { commandHelpText, helpText } from '../../../../../infra/app/commands/help.ts'
import { parseArguments } from '../../../../../infra/app/commands/parse.ts'

const createCommand = (name: string, more: Partial<Command> = {}): Command => ({
  name,
  summary: `does ${name}`,
  run: () => Promise.resolve(0),
  ...more,
})

const retry = createCommand('letters retry', {
  arguments: '<id>',
  options: {
    all: { type: 'boolean', description: 'every letter' },
    from: { type: 'string', value: '<height>', description: 'start with this one' },
    type: { type: 'string', multiple: true, value: '<type>', description: 'of this type' },
  },
  examples: [{ line: 'rollcall letters retry 7', description: 'letter 7 again' }],
})
const commands = [createCommand('start'), createCommand('letters list'), retry]

const parse = (line: string) => parseArguments(line === '' ? [] : line.split(' '), commands)

describe('the arguments of rollcall', () => {
  it('contain a command of one or two words, with its arguments and options', () => {
    expect(parse('start')).toMatchObject({ kind: 'run', command: { name: 'start' } })
    expect(parse('letters retry 7 --all --from 12')).toEqual({
      kind: 'run',
      command: retry,
      given: { args: ['7'], options: { all: true, from: '12' } },
    })
  })

  it('keep every value of a repeatable option, and the last value of any other', () => {
    expect(parse('letters retry --type a --type b --from 1 --from 2')).toMatchObject({
      given: { options: { type: ['a', 'b'], from: '2' } },
    })
  })

  it('request the general help, the help of a command, or the version', () => {
    for (const line of ['', '--help', '-h']) {
      expect(parse(line)).toEqual({ kind: 'help', command: undefined })
    }
    expect(parse('letters retry -h')).toEqual({ kind: 'help', command: retry })
    expect(parse('--version')).toEqual({ kind: 'version' })
  })

  it.each([
    ['strat', 'unknown command "strat"; commands: start, letters list, letters retry'],
    ['letters', 'unknown command "letters"; commands: letters list, letters retry'],
    ['letters drop', 'unknown command "letters drop"; commands: letters list, letters retry'],
    ['start --all', '"start": Unknown option'],
    ['letters retry --from', '"letters retry": Option'],
    ['--quiet', 'unknown option "--quiet"'],
  ])('are refused with what there is: %s', (line, message) => {
    expect(() => parse(line)).toThrow(message)
  })
})

describe('the help', () => {
  it('lists every command, or the options and examples of one command', () => {
    const all = helpText({ commands, settings: [], exitCodes: [[0, 'done']] })
    for (const { name, summary } of commands) {
      expect(all).toContain(`rollcall ${name}`)
      expect(all).toContain(summary)
    }
    const one = commandHelpText(retry)
    expect(one).toContain('rollcall letters retry <id> [options]')
    expect(one).toContain('--from <height>')
    expect(one).toContain('rollcall letters retry 7')
  })
})
