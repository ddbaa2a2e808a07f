// Runs one command as a step of the whole run, and measures its duration and the number of busy cores.
import { readFile } from 'node:fs/promises'
import { type Ended, runStep, type Step } from '../process/run-step.ts'
import type { Timed } from './slowest.ts'

/** At its end the shell prints its own times and, in the last line, those of its children. */
const WITH_TIMES = '"$@"; code=$?; times; exit $code'
const TIMES = /\d+m[\d.]+s \d+m[\d.]+s\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\n$/

export type MeasuredStep = Step & { name: string; outputFile: string }
export type Measured = { ended: Ended; output: string; outputFile: string; timed: Timed }

/** Undefined for a shell that was killed. */
export const parseCpuMs = (output: string): number | undefined => {
  const times = TIMES.exec(output)
  if (!times) return undefined
  const [userMinutes = 0, user = 0, systemMinutes = 0, system = 0] = times.slice(1).map(Number)
  return ((userMinutes + systemMinutes) * 60 + user + system) * 1000
}

export const runMeasured = async ({ name, ...step }: MeasuredStep): Promise<Measured> => {
  const beganMs = performance.now()
  const args = ['-c', WITH_TIMES, 'sh', step.command, ...step.args]
  const ended = await runStep({ ...step, command: 'sh', args })
  const ms = performance.now() - beganMs
  const output = await readFile(step.outputFile, 'utf8')
  const cpuMs = parseCpuMs(output)
  const cores = cpuMs === undefined ? {} : { cores: cpuMs / ms }
  return {
    ended,
    output: output.replace(TIMES, ''),
    outputFile: step.outputFile,
    timed: { name, ms, ...cores },
  }
}
