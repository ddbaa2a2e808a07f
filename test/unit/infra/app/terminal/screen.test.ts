// Tests that a command can use the whole terminal screen and restores it at the end.
import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { openScreen } from '../../../../../infra/app/terminal/screen.ts'

const setup = () => {
  let written = ''
  const exits: (() => void)[] = []
  const raw: boolean[] = []
  let quits = 0
  const input = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => raw.push(isRaw),
    resume: () => input,
    pause: () => input,
  })
  const output = {
    columns: 100,
    rows: 30,
    write: (text: string) => {
      written += text
      return true
    },
  }
  const screen = openScreen({
    // biome-ignore lint/suspicious/noExplicitAny: the streams have more members than the tests use
    input: input as any,
    output,
    onExit: (listener) => exits.push(listener),
    onQuit: () => {
      quits += 1
    },
  })
  return { screen, input, raw, exits, written: () => written, quits: () => quits }
}

const ENTER = '\u001b[?1049h\u001b[?25l'
const LEAVE = '\u001b[?25h\u001b[?1049l'

describe('screen', () => {
  it('restores the terminal once, also if the process ends without closing it', () => {
    const { screen, raw, exits, written } = setup()
    expect(written()).toBe(ENTER)
    expect(raw).toEqual([true])
    for (const listener of exits) listener()
    screen.close()
    expect(written()).toBe(ENTER + LEAVE)
    expect(raw).toEqual([true, false])
  })

  it('overwrites its last frame, and does not scroll', () => {
    const { screen, written } = setup()
    expect(screen.size()).toEqual({ columns: 100, rows: 30 })
    screen.draw(['one', 'two'])
    expect(written().slice(ENTER.length)).toBe('\u001b[Hone\u001b[K\r\ntwo\u001b[K\u001b[J')
  })

  it('closes on q and on Ctrl-C, which is not a signal in raw mode', () => {
    const { input, quits, screen } = setup()
    input.emit('data', Buffer.from('x'))
    expect(quits()).toBe(0)
    input.emit('data', Buffer.from('q'))
    input.emit('data', Buffer.from('\u0003'))
    expect(quits()).toBe(2)
    screen.close()
    input.emit('data', Buffer.from('q'))
    expect(quits()).toBe(2)
  })
})
