// Tests of log lines: their format, and what they never contain.
import { expect, it } from 'vitest'
import { recordingLogger } from '../../../../support/process/log-lines.ts'

it('writes no password and no token, at the top level or one level down', {
  tags: 'infra:secrets-are-not-logged',
}, () => {
  const { logger, lines } = recordingLogger()
  logger.info({ password: 'hunter2', request: { authorization: 'Bearer hunter2' } }, 'asked')
  expect(JSON.stringify(lines)).not.toContain('hunter2')
})
