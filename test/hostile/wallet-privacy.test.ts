// A wallet that claimed an agent is only in the log: no row of the store has its address, key or a hash.
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { TABLES } from '../../projections/contract/tables.ts'
import { createAgentFold } from '../../projections/fold/agent-fold.ts'
import { type AgentStep, createAgentEvents } from '../support/log/agent-events.ts'

it('no row about a claim contains the wallet that signed it', {
  tags: 'projections:no-wallets',
}, () => {
  const step = (kind: AgentStep['kind']): AgentStep => ({
    kind,
    registration: 0,
    attempt: 0,
    by: 7,
    afterMs: 1_000,
  })
  const events = createAgentEvents([step('started'), step('completed'), step('revoked')])
  const fold = createAgentFold()
  for (const [at, event] of events.entries()) fold.apply(event, BigInt(at))
  const { claims, revocations } = fold.drain()
  expect(claims.at(-1)).toMatchObject({ state: 'completed', chainId: 'cosmoshub-4' })
  const completed = events.find(({ type }) => type === 'rollcall.claim.completed.v1')
  if (completed?.type !== 'rollcall.claim.completed.v1') throw new Error('nothing was claimed')
  const { address, publicKey } = completed.data
  const hash = (text: string, encoding: 'hex' | 'base64url') =>
    createHash('sha256').update(text).digest(encoding)
  const identifying = [address, publicKey].flatMap((text) => [
    text,
    hash(text, 'hex'),
    hash(text, 'base64url'),
  ])
  const rows = JSON.stringify([
    claims.map(TABLES.claims.encode),
    revocations.map(TABLES.revocations.encode),
  ])
  expect(identifying.filter((text) => rows.includes(text))).toEqual([])
})
