// Tests of the error for a failed start of the embedded ClickHouse.
import { expect, it } from 'vitest'
import { startError } from '../../../../infra/clickhouse/engine-error.ts'

it('names the metadata file that the engine could not read', () => {
  const output =
    'Code: 62. DB::Exception: Syntax error (in file metadata/x.sql): failed. (SYNTAX_ERROR)'
  expect(startError('/data/store', output, '')).toMatchObject({
    code: 'DATA_DIR_DAMAGED',
    message: expect.stringContaining('damaged: /data/store/metadata/x.sql.'),
  })
})

it('names the broken part that only the log reports', () => {
  const logged = '<Error> Detaching broken part /data/store/store/a/all_1_1_0 (size: 1 KiB).'
  const error = startError('/data/store', 'Code: 231. Suspiciously many broken parts', logged)
  expect(error.code).toBe('DATA_DIR_DAMAGED')
  expect(error.message).toContain('damaged: /data/store/store/a/all_1_1_0.')
})

it('marks a taken port and an exit without a message as retryable, and nothing else', () => {
  const ended = startError('/data', '', '')
  expect([ended.code, ended.retryable]).toEqual(['ENGINE_FAILED', true])
  const taken = startError('/data', 'Listen [127.0.0.1]:1 failed: Address already in use', '')
  expect([taken.code, taken.retryable]).toEqual(['ENGINE_FAILED', true])
  const other = startError('/data', 'the package is not installed', '')
  expect([other.code, other.retryable]).toEqual(['ENGINE_FAILED', false])
  expect(other.message).toContain('the package is not installed')
})
