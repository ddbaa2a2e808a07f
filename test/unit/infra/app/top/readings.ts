// Readings of operator ports for the tests of `rollcall top`, from the text that a port serves.
import { parseExposition } from '../../../../../infra/app/top/exposition.ts'
import type { Reached, Unreachable } from '../../../../../infra/app/top/reading.ts'

export const reached = (text: string, more: Partial<Reached> = {}): Reached => ({
  url: 'http://127.0.0.1:9090',
  atMs: 0,
  ready: true,
  reasons: [],
  samples: parseExposition(text),
  ...more,
})

export const unreachable = (url: string, failure: string): Unreachable => ({
  url,
  atMs: 0,
  failure,
})
