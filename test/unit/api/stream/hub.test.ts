// A read that fails, or that is cut for all, concerns its own listeners alone.
import { expect, it, vi } from 'vitest'
import type { Snapshot } from '../../../../api/read/snapshot.ts'
import type { Changes, Filter, Frame, StreamPosition } from '../../../../api/stream/changes.ts'
import { createHub, type Listener } from '../../../../api/stream/hub.ts'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import { createLogger } from '../../../../infra/base/runtime/logger.ts'
import { createFakeClock } from '../../../support/process/fake-clock.ts'

const at = (position: bigint): StreamPosition => ({ position, proposalId: null })
const END = at(100n)

type Heard = { listener: Listener; frames: Frame[] }

const createHeard = (position: bigint, account?: string): Heard => {
  const frames: Frame[] = []
  let reached: StreamPosition = at(position)
  const accounts = new Map(account === undefined ? [] : [[account, {} as never]])
  const listener: Listener = {
    filter: { accounts } as Filter,
    get position() {
      return reached
    },
    send: (sent, until) => {
      frames.push(...sent)
      reached = until
    },
    write: () => {},
    end: () => {},
  }
  return { listener, frames }
}

const createFrame = (isReset?: true): Frame => ({
  position: END,
  encode: () => Buffer.from('frame'),
  ...(isReset && { isReset }),
})

const openHub = (after: Changes['after']) => {
  const snapshot = { chainId: 'test-1', height: 1 } as Snapshot
  const changes = { ids: { getEnd: () => END }, after, reset: () => createFrame(true) }
  return createHub({
    snapshots: { current: () => snapshot, onRefresh: () => {} } as never,
    changes: changes as unknown as Changes,
    clock: createFakeClock({ autoAdvance: false }),
    logger: createLogger({ service: 'test', level: 'silent' }),
  })
}

it('a read that fails holds up no listener at another position', async () => {
  const hub = openHub(async ({ position }) => {
    if (position === 1n) throw new AppError('STORE_UNAVAILABLE', 'too slow', { retryable: true })
    return [createFrame()]
  })
  const [failing, other] = [createHeard(1n), createHeard(2n)]
  for (const { listener } of [failing, other]) hub.join(listener)
  await vi.waitFor(() => expect(other.frames).toHaveLength(1))
  expect(failing.frames).toEqual([])
})

it('listeners to accounts that share a read which is cut are read alone', async () => {
  let answer = (): void => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const shares: number[] = []
  const hub = openHub(async ({ position }, _snapshot, filters) => {
    if (position === 1n) await answered
    else shares.push(filters.length)
    return [createFrame(filters.length > 1 ? true : undefined)]
  })
  const both = [createHeard(2n, 'one'), createHeard(2n, 'other')]
  for (const { listener } of [createHeard(1n), ...both]) hub.join(listener)
  answer()
  await vi.waitFor(() => expect(shares).toEqual([2, 1, 1]))
  await vi.waitFor(() => {
    for (const { frames } of both) expect(frames.map(({ isReset }) => isReset)).toEqual([undefined])
  })
})
