// Tests what a service and the process that starts it exchange: settings, and the reason of a failure.
import { PassThrough } from 'node:stream'
import { expect, it, vi } from 'vitest'
import {
  describeFailure,
  formatNotice,
  formatSettings,
  parseNotice,
  receiveSettings,
} from '../../../../../infra/app/services/service-process.ts'
import { AppError } from '../../../../../infra/base/runtime/errors.ts'

const setup = () => {
  const stdin = new PassThrough()
  const exit = vi.fn()
  const received = receiveSettings({ stdin, exit } as unknown as NodeJS.Process)
  return { stdin, exit, received }
}

it('a service gets its last settings in one line, and ends with the process that started it', async () => {
  const { stdin, exit, received } = setup()
  const settings = { CLICKHOUSE_PASSWORD: 'a\n"b"\u2028c', CLICKHOUSE_URL: 'http://127.0.0.1:1' }
  stdin.write(formatSettings({ ...settings, CLICKHOUSE_CLUSTER: undefined }))
  expect(await received).toEqual(settings)
  expect(exit).not.toHaveBeenCalled()
  stdin.end()
  await expect.poll(() => exit).toHaveBeenCalledWith(0)
})

it('a service whose starter ends before it sent settings ends too', async () => {
  const { stdin, exit } = setup()
  stdin.end()
  await expect.poll(() => exit).toHaveBeenCalledWith(0)
})

it.each([
  [
    new AppError('LOG_FULL', 'the disk\nis full'),
    { code: 'LOG_FULL', message: 'the disk\nis full' },
  ],
  [new TypeError('no'), { code: 'UNEXPECTED', message: 'no' }],
  ['text', { code: 'UNEXPECTED', message: 'text' }],
])('the reason of a failure is one line: %s', (error, failure) => {
  const line = formatNotice({ failure: describeFailure(error) })
  expect(line.split('\n')).toHaveLength(2)
  expect(parseNotice(line)).toEqual({ failure })
})

it('other lines are no notices', () => {
  expect(parseNotice('{"level":"fatal"}')).toBeUndefined()
  expect(parseNotice('{"notice":{"failure":{"code":"LOG_')).toBeUndefined()
  expect(parseNotice('')).toBeUndefined()
})
