// UUIDs of version 7: their shape, and that they sort by their time.
import { expect, it } from 'vitest'
import { uuidV7 } from '../../../../infra/runtime/uuid.ts'

it('a UUIDv7 says its version and variant, tells its time, and sorts by it', () => {
  const at = (ms: number) => uuidV7(ms)
  expect(at(0)).toMatch(/^00000000-0000-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const timeMs = 1_800_000_000_123
  expect(Number.parseInt(at(timeMs).replace('-', '').slice(0, 12), 16)).toBe(timeMs)
  expect(at(timeMs) < at(timeMs + 1)).toBe(true)
  expect(at(timeMs)).not.toBe(at(timeMs))
})
