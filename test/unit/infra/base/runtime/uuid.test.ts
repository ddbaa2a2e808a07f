// Tests of UUIDs: their format, the time order of version 7, and the name of version 5.
import { expect, it } from 'vitest'
import { uuidV5, uuidV7 } from '../../../../../infra/base/runtime/uuid.ts'

it('a UUIDv7 has its version, variant and time, and sorts by time', () => {
  const at = (ms: number) => uuidV7(ms)
  expect(at(0)).toMatch(/^00000000-0000-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const timeMs = 1_800_000_000_123
  expect(Number.parseInt(at(timeMs).replace('-', '').slice(0, 12), 16)).toBe(timeMs)
  expect(at(timeMs) < at(timeMs + 1)).toBe(true)
  expect(at(timeMs)).not.toBe(at(timeMs))
})

it('a UUIDv5 equals the example in RFC 9562', () => {
  const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'
  expect(uuidV5(dns, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
})
