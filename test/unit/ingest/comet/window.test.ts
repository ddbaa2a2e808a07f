// Tests what is believed of an endpoint that says it pruned a height.
import { expect, it } from 'vitest'
import { createWindow } from '../../../../ingest/comet/window.ts'

it('believes a bound only after it was repeated', () => {
  const window = createWindow()
  window.refused(10)
  expect([window.lacks(10), window.isProved(10)]).toEqual([true, false])
  window.refused(10)
  window.refused(12)
  expect([window.isProved(10), window.isProved(11), window.isProved(3)]).toEqual([
    true,
    false,
    true,
  ])
})

it('forgets a refusal that a served height contradicts, and knows that nodes differ', () => {
  const window = createWindow()
  window.refused(10)
  window.served(9)
  expect([window.lacks(10), window.isMixed()]).toEqual([false, true])
  for (let each = 0; each < 3; each++) window.refused(20)
  expect([window.lacks(20), window.isProved(20)]).toEqual([true, false])
  window.served(15)
  expect([window.lacks(20), window.lacks(15), window.lacks(14)]).toEqual([false, false, true])
})

it('is not contradicted by later heights', () => {
  const window = createWindow()
  for (let each = 0; each < 3; each++) window.refused(10)
  window.served(11)
  expect([window.isProved(10), window.isMixed()]).toEqual([true, false])
})
