// Tests what the refusals of an endpoint say about the heights that it keeps.
import { describe, expect, it } from 'vitest'
import { createWindow } from '../../../../../ingest/comet/endpoints/window.ts'

describe('the heights that an endpoint has refused', () => {
  it('are proved by three refusals in a row, up to the lowest of them', () => {
    const window = createWindow()
    for (const height of [12, 10]) window.refused(height)
    expect(window.isProved(10)).toBe(false)
    window.refused(11)
    expect([10, 11].map(window.isProved)).toEqual([true, false])
    expect([10, 11, 12, 13].map(window.hasRefused)).toEqual([true, true, true, false])
  })

  it('are not proved any more after it has served one of them, and those below it stay suspected', () => {
    const window = createWindow()
    for (const height of [10, 10, 10]) window.refused(height)
    window.served(5)
    expect([4, 5, 10].map(window.lacks)).toEqual([true, false, false])
    expect(window.isProved(4)).toBe(false)
  })

  it('do not become more by a height that it serves after one refusal', () => {
    const window = createWindow()
    window.refused(10)
    expect(window.lacks(3)).toBe(true)
    window.served(7)
    expect([3, 10].map(window.lacks)).toEqual([false, false])
  })
})
