// Tests that repeated warnings become a few lines without losing any count.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  createRepeatedWarnings,
  getRepeatedWarnings,
} from '../../../../../infra/base/runtime/repeated-warnings.ts'
import { recordingLogger } from '../../../../support/process/log-lines.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const setup = (maxKeys = 10) => {
  const { logger, lines } = recordingLogger()
  const warnings = createRepeatedWarnings({ logger, intervalMs: 1_000, maxKeys })
  const warn = (key: string, fields: Record<string, unknown> = {}) =>
    warnings.warn({ key, fields, message: `about ${key}` })
  const readLines = () => lines.map(({ level, msg, repeated }) => [level, msg, repeated])
  return { warnings, warn, readLines, lines }
}

it('writes the first warning at once, and the number of repetitions once per interval', () => {
  const { warn, readLines, lines } = setup()
  expect(warn('a')).toBe(true)
  for (let again = 1; again <= 500; again++) expect(warn('a', { attempt: again })).toBe(false)
  expect(readLines()).toEqual([['warn', 'about a', undefined]])
  vi.advanceTimersByTime(1_000)
  expect(readLines().at(-1)).toEqual(['warn', 'about a', 500])
  expect(lines.at(-1)).toMatchObject({ attempt: 500, withinSeconds: 1 })
  warn('a')
  vi.advanceTimersByTime(1_000)
  expect(readLines().slice(1)).toEqual([
    ['warn', 'about a', 500],
    ['warn', 'about a', 1],
  ])
})

it('writes nothing more after the last repetition, and writes the next warning at once', () => {
  const { warn, readLines } = setup()
  warn('a')
  vi.advanceTimersByTime(10_000)
  expect(readLines()).toHaveLength(1)
  expect(warn('a')).toBe(true)
  expect(readLines()).toHaveLength(2)
})

it('counts different warnings separately', () => {
  const { warnings, warn, readLines } = setup()
  warn('a')
  warn('b')
  warnings.error({ key: 'c', fields: {}, message: 'about c' })
  expect(readLines().map(([level, message]) => `${level} ${message}`)).toEqual([
    'warn about a',
    'warn about b',
    'error about c',
  ])
})

it('keeps a bounded number of warnings in memory, with exact counts', () => {
  const { warn, readLines } = setup(2)
  warn('a')
  warn('a')
  warn('b')
  warn('c')
  expect(readLines()).toEqual([
    ['warn', 'about a', undefined],
    ['warn', 'about b', undefined],
    ['warn', 'about a', 1],
    ['warn', 'about c', undefined],
  ])
  expect(vi.getTimerCount()).toBe(2)
})

it('has separate counts for each logger', () => {
  const { logger } = recordingLogger()
  expect(getRepeatedWarnings(logger)).toBe(getRepeatedWarnings(logger))
  expect(getRepeatedWarnings(logger)).not.toBe(getRepeatedWarnings(recordingLogger().logger))
})
