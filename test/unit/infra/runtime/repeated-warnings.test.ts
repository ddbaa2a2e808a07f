// A warning that comes a thousand times is a handful of lines, and none of them is lost.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  createRepeatedWarnings,
  repeatedWarningsOf,
} from '../../../../infra/runtime/repeated-warnings.ts'
import { recordingLogger } from '../../../support/process/log-lines.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const setup = (maxKeys = 10) => {
  const { log, lines } = recordingLogger()
  const warnings = createRepeatedWarnings({ log, intervalMs: 1_000, maxKeys })
  const warn = (key: string, fields: Record<string, unknown> = {}) =>
    warnings.warn({ key, fields, message: `about ${key}` })
  const said = () => lines.map(({ level, msg, repeated }) => [level, msg, repeated])
  return { warnings, warn, said, lines }
}

it('writes the first warning at once and the number of its repetitions once per interval', () => {
  const { warn, said, lines } = setup()
  expect(warn('a')).toBe(true)
  for (let again = 1; again <= 500; again++) expect(warn('a', { attempt: again })).toBe(false)
  expect(said()).toEqual([['warn', 'about a', undefined]])
  vi.advanceTimersByTime(1_000)
  expect(said().at(-1)).toEqual(['warn', 'about a', 500])
  expect(lines.at(-1)).toMatchObject({ attempt: 500, withinSeconds: 1 })
  warn('a')
  vi.advanceTimersByTime(1_000)
  expect(said().slice(1)).toEqual([
    ['warn', 'about a', 500],
    ['warn', 'about a', 1],
  ])
})

it('writes nothing more once the warning stays away, and the next one at once', () => {
  const { warn, said } = setup()
  warn('a')
  vi.advanceTimersByTime(10_000)
  expect(said()).toHaveLength(1)
  expect(warn('a')).toBe(true)
  expect(said()).toHaveLength(2)
})

it('does not let one warning hide another', () => {
  const { warnings, warn, said } = setup()
  warn('a')
  warn('b')
  warnings.error({ key: 'c', fields: {}, message: 'about c' })
  expect(said().map(([level, message]) => `${level} ${message}`)).toEqual([
    'warn about a',
    'warn about b',
    'error about c',
  ])
})

it('keeps a bounded number of warnings in memory and loses no count for that', () => {
  const { warn, said } = setup(2)
  warn('a')
  warn('a')
  warn('b')
  warn('c')
  expect(said()).toEqual([
    ['warn', 'about a', undefined],
    ['warn', 'about b', undefined],
    ['warn', 'about a', 1],
    ['warn', 'about c', undefined],
  ])
  expect(vi.getTimerCount()).toBe(2)
})

it('is one for each logger', () => {
  const { log } = recordingLogger()
  expect(repeatedWarningsOf(log)).toBe(repeatedWarningsOf(log))
  expect(repeatedWarningsOf(log)).not.toBe(repeatedWarningsOf(recordingLogger().log))
})
