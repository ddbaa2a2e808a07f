// Tests of the error for a failed start of the embedded ClickHouse.
import { expect, it } from 'vitest'
import { startError } from '../../../../../infra/base/clickhouse/engine-error.ts'

it('names the broken part that only the log reports', () => {
  const logged = '<Error> Detaching broken part /data/store/store/a/all_1_1_0 (size: 1 KiB).'
  const error = startError('/data/store', 'Code: 231. Suspiciously many broken parts', logged)
  expect(error.code).toBe('DATA_DIR_DAMAGED')
  expect(error.message).toContain('damaged: /data/store/store/a/all_1_1_0.')
})

it.each([
  'Code: 27. DB::Exception: Cannot parse input: expected eof before: x, for setting max_threads. (CANNOT_PARSE_INPUT_ASSERTION_FAILED)',
  'Code: 62. DB::Exception: Syntax error: failed at position 1 (SELEC). (SYNTAX_ERROR)',
  'Code: 107. DB::Exception: File /data/users.xml does not exist. (FILE_DOESNT_EXIST)',
])('reports a wrong setting as such, not as damage: %s', (output) => {
  const logged = '<Information> Application: Loading metadata from /data/store/metadata/x.sql'
  const error = startError('/data/store', output, logged)
  expect([error.code, error.retryable]).toEqual(['ENGINE_FAILED', false])
  expect(error.message).toContain(output)
})

it.each([
  [
    'Code: 62. DB::Exception: Syntax error (in file metadata/x.sql): failed. (SYNTAX_ERROR)',
    '/data/store/metadata/x.sql.',
  ],
  [
    'Code: 36. DB::Exception: Cannot parse definition from metadata file /data/store/store/a/facts.sql. Error: DB::Exception: Syntax error: failed at position 1 (x):\n\nx\n. (SYNTAX_ERROR)',
    '/data/store/store/a/facts.sql',
  ],
  [
    'Code: 33. DB::Exception: Cannot read all data: (while reading from part /data/store/store/a/all_1_1_0/). (CANNOT_READ_ALL_DATA)',
    '/data/store/store/a/all_1_1_0/',
  ],
  [
    'Code: 107. DB::Exception: File store/a/data.bin does not exist. (FILE_DOESNT_EXIST)',
    '/data/store/store/a/data.bin',
  ],
])('names the damaged file of the store in %j', (output, file) => {
  expect(startError('/data/store', output, '')).toMatchObject({
    code: 'DATA_DIR_DAMAGED',
    message: expect.stringContaining(`damaged: ${file}`),
  })
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
