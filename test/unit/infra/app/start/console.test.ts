// Tests of when Rollcall reports that it is ready, and of its messages before that.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fetchReading, watchHealth } from '../../../../../infra/app/start/console.ts'
import { createTerminal } from '../../../../../infra/app/terminal/terminal.ts'
import type { HealthSummary } from '../../../../../infra/app/tools/rollcall-client.ts'

const at = (height: number, tip: number): HealthSummary => ({ chainId: 'a-1', height, tip })

const setup = async (
  answers: (HealthSummary | undefined)[],
  readings: (string | undefined)[] = [],
  isTTY = false,
) => {
  const abort = new AbortController()
  const lines: string[] = []
  let nowMs = 0
  const out = { isTTY, write: (text: string) => lines.push(text.trimEnd()) }
  await watchHealth({
    readHealth: async () => {
      if (answers.length === 1) abort.abort()
      return answers.shift()
    },
    readReading: async () => readings.shift(),
    isServing: () => true,
    onReady: (health, reading) =>
      void lines.push(`ready at ${health?.height ?? reading ?? 'nothing'}`),
    terminal: createTerminal(out, out),
    signal: abort.signal,
    clock: {
      now: () => nowMs,
      sleep: async (ms) => {
        nowMs += ms
      },
    },
  })
  return lines
}

describe('watching the served height', () => {
  it('reports ready once, as soon as Rollcall follows the chain', async () => {
    const lines = await setup([undefined, at(10, 500), at(499, 500), at(500, 500), at(501, 501)])
    expect(lines).toEqual(['ready at 499'])
  })

  it('reports ready after ten seconds of backfill', async () => {
    const backfill = Array.from({ length: 30 }, (_, index) => at(index * 100, 3_500))
    const lines = await setup([...backfill, at(3_500, 3_500)])
    expect(lines).toEqual([
      'backfill: height 1,000 of 3,500 (28.6 %), 200 heights/s, 13 s left',
      'backfill: height 2,000 of 3,500 (57.1 %), 200 heights/s, 8 s left',
      'ready at 2000',
    ])
  })

  it('reports ready after ten seconds without any height, if the chain does not respond', async () => {
    const lines = await setup(Array.from({ length: 25 }, () => undefined))
    expect(lines).toEqual(['ready at nothing'])
  })

  it('says again each minute what it waits for', async () => {
    const waits = 'waiting for the chain: endpoint 127.0.0.1:1317: this is the REST API of a node'
    const polls = 300
    const lines = await setup(
      Array.from({ length: polls }, () => undefined),
      Array.from({ length: polls }, () => waits),
    )
    expect(lines).toEqual([waits, `ready at ${waits}`, waits, waits])
  })

  it('prints what is read before the first height, and of the voters after it', async () => {
    const before = Array.from({ length: 22 }, (_, at) => `reading votes of proposal 9: ${at}00`)
    const lines = await setup(
      [...before.map(() => undefined), at(500, 500), at(501, 501), at(502, 502)],
      [...before, 'reading voters', 'reading voters', undefined],
    )
    expect(lines).toEqual([
      'reading votes of proposal 9: 1000',
      'reading votes of proposal 9: 2000',
      'ready at reading votes of proposal 9: 2000',
      'reading voters',
    ])
  })

  it('shows a bar with rate and time left on a terminal, whose line stays at the end', async () => {
    const backfill = Array.from({ length: 30 }, (_, index) => at(index * 100, 3_500))
    const lines = await setup([...backfill, at(3_500, 3_500), at(3_501, 3_501)], [], true)
    const shown = lines.map((line) => line.split('\u001b[2K').at(-1) ?? '')
    expect(shown).toContain('backfill    [#####...............] 1,000 of 3,500, 200/s, 13 s left')
    expect(shown).toContain('backfill    [####################] 3,500 heights in 15 s')
    expect(shown.filter((line) => line.startsWith('ready'))).toHaveLength(1)
    expect(Math.max(...shown.map(({ length }) => length))).toBeLessThan(80)
  })
})

describe('what ingest reads', () => {
  it.each([
    ['nothing, without a text', { history: { text: null } }, undefined],
    ['the history, on a terminal', { history: { text: 'reading votes' } }, 'reading votes'],
    ['the state of a start first', { reading: 'proposals', history: { text: null } }, 'proposals'],
  ])('is %s', async (_, body, expected) => {
    const server = http.createServer((_, response) => response.end(JSON.stringify(body)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { signal } = new AbortController()
    expect(await fetchReading(url, { signal, withHistory: true })).toBe(expected)
  })
})
