// Tests what is believed of an endpoint that says it pruned a height.
import { expect, it } from 'vitest'
import { createWindow } from '../../../../../ingest/comet/endpoints/window.ts'

const TIP = 30

it('believes a bound only after it was repeated', () => {
  const window = createWindow()
  window.refused(10, TIP)
  expect([window.lacks(10), window.isProved(10)]).toEqual([true, false])
  window.refused(10, TIP)
  window.refused(12, TIP)
  expect([window.isProved(10), window.isProved(11), window.isProved(3)]).toEqual([
    true,
    false,
    true,
  ])
})

it('forgets a refusal that a served height contradicts, and knows that nodes differ', () => {
  const window = createWindow()
  window.refused(10, TIP)
  window.served(9, TIP)
  expect([window.lacks(10), window.isMixed()]).toEqual([false, true])
  for (let each = 0; each < 3; each++) window.refused(20, TIP)
  expect([window.lacks(20), window.isProved(20)]).toEqual([true, false])
  window.served(15, TIP)
  expect([window.lacks(20), window.lacks(15), window.lacks(14)]).toEqual([false, false, true])
})

it('is not contradicted by later heights', () => {
  const window = createWindow()
  for (let each = 0; each < 3; each++) window.refused(10, TIP)
  window.served(11, TIP)
  expect([window.isProved(10), window.isMixed()]).toEqual([true, false])
})

it('knows no lowest height before it served one, and none without a tip', () => {
  const window = createWindow()
  expect(window.earliest({ tip: TIP })).toBeNull()
  window.served(25, 0)
  expect(window.earliest({ tip: TIP })).toBeNull()
  window.served(25, TIP)
  expect(window.earliest({ tip: 0 })).toBeNull()
})

it('expects a height to be kept that is as far below the tip as the lowest one that was served', () => {
  const window = createWindow()
  window.served(10, TIP)
  window.served(31, TIP)
  expect([window.earliest({ tip: TIP }), window.earliest({ tip: 40 })]).toEqual([10, 20])
  for (let each = 0; each < 3; each++) window.refused(25, 40)
  expect([window.earliest({ tip: 40 }), window.earliest({ tip: 50 })]).toEqual([26, 36])
})

it('has the lowest height that the endpoint claims, above all that it refused', () => {
  const window = createWindow()
  expect(window.earliest({ tip: TIP, claimed: 3 })).toBe(3)
  for (let each = 0; each < 3; each++) window.refused(7, TIP)
  expect(window.earliest({ tip: TIP, claimed: 3 })).toBe(8)
})
