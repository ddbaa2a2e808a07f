// Full-screen terminal output, which restores the terminal however the process ends.

export type ScreenOutput = Pick<NodeJS.WriteStream, 'write' | 'columns' | 'rows'>
export type ScreenInput = Pick<NodeJS.ReadStream, 'on' | 'off' | 'resume' | 'pause'> & {
  isTTY?: boolean
  setRawMode?: (isRaw: boolean) => unknown
}

export type Screen = {
  size(): { columns: number; rows: number }
  /** Replaces the screen. Each line may have style codes, but no other control characters. */
  draw(lines: readonly string[]): void
  /** Restores the terminal. A second call does nothing. */
  close(): void
}

export type ScreenOptions = {
  input: ScreenInput
  output: ScreenOutput
  /** Exit handler of the process: restores the terminal if nothing else did. */
  onExit: (listener: () => void) => void
  /** Called for `q` and Ctrl-C: in raw mode a terminal sends no signals. */
  onQuit: () => void
}

const ESC = '\u001b['
const ENTER = `${ESC}?1049h${ESC}?25l`
const LEAVE = `${ESC}?25h${ESC}?1049l`
const HOME = `${ESC}H`
const CLEAR_REST_OF_LINE = `${ESC}K`
const CLEAR_BELOW = `${ESC}J`
const CTRL_C = '\u0003'

export const openScreen = ({ input, output, onExit, onQuit }: ScreenOptions): Screen => {
  let isOpen = true
  const onData = (chunk: Buffer | string): void => {
    const keys = String(chunk)
    if (keys.includes('q') || keys.includes(CTRL_C)) onQuit()
  }
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    input.off('data', onData)
    if (input.isTTY) input.setRawMode?.(false)
    input.pause()
    output.write(LEAVE)
  }
  onExit(close)
  if (input.isTTY) input.setRawMode?.(true)
  input.on('data', onData)
  input.resume()
  output.write(ENTER)
  return {
    size: () => ({ columns: output.columns || 80, rows: output.rows || 24 }),
    draw: (lines) => {
      // No line break after the last line: it would scroll the screen.
      const body = lines.map((line) => line + CLEAR_REST_OF_LINE).join('\r\n')
      output.write(HOME + body + CLEAR_BELOW)
    },
    close,
  }
}
