// Tests of revocations that the log does not have yet: bounded, and each until the log has it.
import { describe, expect, it } from 'vitest'
import { createUnwrittenRevocations } from '../../../../auth/agents/unwritten-revocations.ts'
import type { AgentEventOf } from '../../../../auth/contract/claims.ts'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'
import { silentLogger } from '../../../support/process/log-lines.ts'

type Revocation = AgentEventOf<'rollcall.token.revoked.v1'>

const revocation = (kind: Revocation['data']['kind'], id: string) =>
  ({
    time: new Date(0).toISOString(),
    data: { kind, tokenId: id, subject: id, expires: new Date(900).toISOString() },
  }) as Revocation
const setup = () =>
  createUnwrittenRevocations({
    append: async () => {
      throw new AppError('LOG_FULL', 'full')
    },
    clock: createFakeClock(),
    logger: silentLogger(),
  })

describe('revocations that are not written', () => {
  it('are kept up to a limit, at which no token is accepted', async () => {
    const unwritten = setup()
    for (let n = 0; n < 10_000; n++) {
      expect(unwritten.isFull()).toBe(false)
      await unwritten.write(revocation('access_token', `${n}`)).catch(() => undefined)
    }
    await expect(unwritten.write(revocation('access_token', 'more'))).rejects.toThrow('full')
    expect([unwritten.isFull(), unwritten.size()]).toEqual([true, 10_000])
    unwritten.settle(revocation('access_token', '7'))
    expect([unwritten.isFull(), unwritten.hasToken('7')]).toEqual([false, false])
  })
})
