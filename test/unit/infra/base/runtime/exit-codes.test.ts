// Tests of the exit codes of the command.
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'
import {
  EXIT_CODE_MEANINGS,
  isPermanent,
  isUserFacing,
  toExitCode,
} from '../../../../../infra/base/runtime/exit-codes.ts'

describe('exit codes', () => {
  it.each([
    ['CONFIG_INVALID', 78],
    ['DATA_DIR_LOCKED', 75],
    ['LOG_FULL', 73],
    ['DATA_DIR_DAMAGED', 65],
    ['LOG_DAMAGED', 65],
    ['CHAIN_MISMATCH', 65],
    ['STORE_UNAVAILABLE', 70],
    ['NOT_IN_LOG', 69],
    ['RPC_UNAVAILABLE', 69],
    ['EXPORT_DAMAGED', 65],
    ['ABORTED', 130],
  ] as const)('%s exits with %i', (code, exitCode) => {
    expect(toExitCode(new AppError(code, 'why'))).toBe(exitCode)
  })

  it('distinguishes a directory that is not writable from a bug', () => {
    expect(toExitCode(Object.assign(new Error('no space'), { code: 'ENOSPC' }))).toBe(73)
    const fromStore = new AppError('STORE_UNAVAILABLE', 'Cannot reserve 1 MiB, not enough space')
    expect(toExitCode(fromStore)).toBe(73)
    expect(toExitCode(new TypeError('x is undefined'))).toBe(70)
    expect(toExitCode('a string')).toBe(70)
  })

  it('explains every code it uses', () => {
    const used = [
      ...(['CONFIG_INVALID', 'DATA_DIR_LOCKED', 'LOG_FULL', 'LOG_DAMAGED'] as const),
      ...(['NOT_IN_LOG', 'ABORTED'] as const),
    ]
    const explained = EXIT_CODE_MEANINGS.map(([code]) => code)
    expect(explained).toEqual(
      expect.arrayContaining(used.map((code) => toExitCode(new AppError(code, 'why')))),
    )
  })

  it('retries temporary failures, and never permanent ones', () => {
    expect(isPermanent('CHAIN_MISMATCH')).toBe(true)
    expect(isPermanent('STORE_UNAVAILABLE')).toBe(false)
    expect(isPermanent('toString')).toBe(false)
    expect(isUserFacing(new AppError('DATA_DIR_LOCKED', 'in use by 1'))).toBe(true)
    expect(isUserFacing(new Error('DATA_DIR_LOCKED'))).toBe(false)
  })
})
