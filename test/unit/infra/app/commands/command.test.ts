// Parsing of arguments, and the errors of wrong ones.
import { describe, expect, it } from 'vitest'
import { type Command, parseArguments } from '../../../../../infra/app/commands/command.ts'
import { commandHelpText, commandsText, helpText } from '../../../../../infra/app/commands/help.ts'

const createCommand = (name: string, more: Partial<Command> = {}): Command => ({
  name,
  summary: `does ${name}`,
  run: () => Promise.resolve(0),
  ...more,
})

const retry = createCommand('letters retry', {
  arguments: '<id>',
  options: {
    all: 'every letter',
    from: ['<height>', 'start with this one'],
    type: ['<type>', 'of this type'],
  },
  examples: [['rollcall letters retry 7', 'letter 7 again']],
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

  it('keep the last value of an option', () => {
    expect(parse('letters retry --from 1 --from 2')).toMatchObject({
      given: { options: { from: '2' } },
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
    ['start now', '"start" takes no arguments, got "now"'],
    ['letters retry --from', '"letters retry": Option'],
    ['--quiet', 'unknown option "--quiet"'],
  ])('are refused with what there is: %s', (line, message) => {
    expect(() => parse(line)).toThrow(message)
  })
})

describe('the help', () => {
  it('has the given commands, the list all of them, and each its options and examples', () => {
    const all = commandsText(commands)
    for (const { name, summary } of commands) {
      for (const text of [helpText(commands), all]) {
        expect(text).toContain(`rollcall ${name}`)
        expect(text).toContain(summary)
      }
    }
    expect(all).toContain('  0   success')
    expect(all).toContain('letter 7 again')
    const one = commandHelpText(retry)
    expect(one).toContain('rollcall letters retry <id> [options]')
    expect(one).toContain('--from <height>')
    expect(one).toContain('rollcall letters retry 7')
  })
})
