// Tests of one step of the whole test run: its output, its outcome and its processor time.
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTemporaryDirectory } from '../../../support/process/temporary-directory.ts'
import { type MeasuredStep, parseCpuMs, runMeasured } from '../../../support/suite/measured-step.ts'

const run = (script: string, options: Partial<MeasuredStep> = {}) => {
  const directory = createTemporaryDirectory('measured-step')
  onTestFinished(() => directory.remove())
  return runMeasured({
    name: 'a step',
    command: 'sh',
    args: ['-c', script],
    cwd: directory.path,
    deadlineMs: 4_000,
    outputFile: join(directory.path, 'output.log'),
    ...options,
  })
}

describe('a measured step', () => {
  it('keeps the output of both streams', async () => {
    const { ended, output, timed } = await run('echo one; echo two >&2')
    expect([ended, output, timed.name]).toEqual([{ ok: true }, 'one\ntwo\n', 'a step'])
  })

  it('fails with the exit code of its command', async () => {
    const { ended, output } = await run('echo why; exit 3')
    expect([ended, output]).toEqual([{ ok: false, reason: 'ended with 3' }, 'why\n'])
  })

  it('counts the processor time of all child processes', async () => {
    const busy = 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'
    const { timed } = await run(`sh -c '${busy}'; sleep 0.2`)
    expect(timed.cores).toBeGreaterThan(0)
    expect(timed.cores).toBeLessThan(1.1)
    expect(timed.ms).toBeGreaterThan(200)
  })

  it('keeps the output from before its deadline', async () => {
    const { ended, output, timed } = await run('echo begun; sleep 20', { deadlineMs: 300 })
    expect([ended, output]).toEqual([{ ok: false, reason: 'did not end within 0.3 s' }, 'begun\n'])
    expect(timed.cores).toBeUndefined()
  })

  it('passes on what its command writes to the live channel, and keeps it out of the output', async () => {
    const live: string[] = []
    const { output } = await run('echo now >&3; echo later', { onLive: (text) => live.push(text) })
    await expect.poll(() => live.join('')).toBe('now\n')
    expect(output).toBe('later\n')
  })

  it('parses minutes and seconds of user and system time from the last line', () => {
    expect(parseCpuMs('text\n0m0.01s 0m0.02s\n1m2.50s 0m3.25s\n')).toBe(65_750)
    expect(parseCpuMs('text\n')).toBeUndefined()
  })
})
