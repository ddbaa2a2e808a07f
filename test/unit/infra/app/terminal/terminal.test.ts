// Tests of where each kind of line is written, and that a rewritten line never mixes with another.
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { loadLineFormatter } from '../../../../../infra/app/terminal/line-formatter.ts'
import { createTerminal } from '../../../../../infra/app/terminal/terminal.ts'

const setup = (isTTY: boolean, columns = 80) => {
  const written: string[] = []
  const stdout = { isTTY, columns, write: (text: string) => written.push(`out:${text}`) }
  const stderr = { isTTY, columns, write: (text: string) => written.push(`err:${text}`) }
  return { terminal: createTerminal(stdout, stderr), written }
}

describe('terminal', () => {
  it('writes progress as separate lines if lines cannot be rewritten', () => {
    const { terminal, written } = setup(false)
    terminal.progress('1 of 2')
    terminal.log('{"level":"warn"}')
    terminal.progress('2 of 2')
    terminal.clearProgress()
    expect(written).toEqual(['out:1 of 2\n', 'err:{"level":"warn"}\n', 'out:2 of 2\n'])
  })

  it('rewrites one line on a terminal, and clears it before a log line', () => {
    const { terminal, written } = setup(true)
    terminal.progress('1 of 2')
    terminal.log('a warning')
    terminal.clearProgress()
    terminal.print('ready')
    expect(written.join('').replaceAll('\r\u001b[2K', '⌫')).toBe(
      'out:⌫1 of 2out:⌫err:a warning\nout:1 of 2out:⌫out:ready\n',
    )
  })

  it('truncates a rewritten line to the width of the terminal', () => {
    const { terminal, written } = setup(true, 20)
    terminal.progress('x'.repeat(100))
    expect(written.join('').match(/x/g)).toHaveLength(19)
  })

  it('escapes text of others in formatted log lines', async () => {
    const format = await loadLineFormatter({ isTTY: true })
    const fields = {
      msg: 'a\u009b31mb',
      reason: '\u001b]0;x\u0007',
      err: { stack: 'E\u001b[2J\nat' },
    }
    const formatted = format(JSON.stringify({ level: 40, ...fields }))
    expect(formatted).toContain('a\\u009b31mb')
    const withoutColors = stripVTControlCharacters(formatted)
    expect(withoutColors).not.toMatch(/(?!\n)[\p{Cc}]/u)
    expect(withoutColors).toContain('E\\u001b[2J')
    expect(format('{no \u001b[2J JSON')).toBe('{no \\u001b[2J JSON')
  })

  it('formats log lines without colors where the terminal has none, as with NO_COLOR', async () => {
    const line = JSON.stringify({ level: 'warn', service: 'writer', msg: 'slow' })
    const format = await loadLineFormatter({ isTTY: true, hasColors: () => false })
    expect(format(line)).toMatch(/WARN.*writer: slow/)
    expect(format(line)).not.toContain('\u001b')
  })

  it('escapes text of others that would control it, as JSON does', () => {
    const { terminal, written } = setup(false)
    terminal.print('{"a":"\u009b2J\u202e"}')
    terminal.log('one\n\u001b]0;title\u0007')
    expect(written).toEqual(['out:{"a":"\\u009b2J\\u202e"}\n', 'err:one\n\\u001b]0;title\\u0007\n'])
  })
})
