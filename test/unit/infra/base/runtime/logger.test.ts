// Tests of log lines: their format, and what they never contain.
import { expect, it } from 'vitest'
import { recordingLogger } from '../../../../support/process/log-lines.ts'

it('writes one line with level, time, service and fields', () => {
  const { logger, lines } = recordingLogger()
  logger.info({ height: 7 }, 'appended height')
  expect(lines).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      service: 'test',
      height: 7,
      msg: 'appended height',
    },
  ])
})

it('writes an error with its stack and its cause', () => {
  const { logger, lines } = recordingLogger()
  logger.error({ error: new Error('outer', { cause: new Error('inner') }) }, 'failed')
  expect(lines[0]?.['error']).toMatchObject({
    message: 'outer',
    stack: expect.stringContaining('outer'),
    cause: { message: 'inner' },
  })
})

it('writes no password and no token, at the top level or one level down', {
  tags: 'infra:secrets-are-not-logged',
}, () => {
  const { logger, lines } = recordingLogger()
  logger.info({ password: 'hunter2', request: { authorization: 'Bearer hunter2' } }, 'asked')
  expect(JSON.stringify(lines)).not.toContain('hunter2')
})
