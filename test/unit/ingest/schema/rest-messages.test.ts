// Tests messages of a real chain: decoded from state bytes, they equal the JSON of its REST API.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { builtInSchema } from '../../../../ingest/schema/chain-schema.ts'
import { decodeAny } from '../../../../ingest/schema/message-json.ts'

type Recorded = { proposal: string; typeUrl: string; valueBase64: string; rest: unknown }

const RECORDED: Recorded[] = JSON.parse(
  readFileSync(new URL('../../../fixtures/rest-messages.json', import.meta.url), 'utf8'),
)

/** Bytes of more than 4 KiB are a digest here, computed from the base64 of REST. */
const withDigests = (rest: unknown, ours: unknown): unknown => {
  if (Array.isArray(rest)) {
    return rest.map((each, n) => withDigests(each, Array.isArray(ours) ? ours[n] : undefined))
  }
  const isDigest = typeof ours === 'object' && ours !== null && 'sha256' in ours && 'size' in ours
  if (typeof rest === 'string' && isDigest) {
    const bytes = Buffer.from(rest, 'base64')
    return { sha256: hash('sha256', bytes, 'hex'), size: bytes.length }
  }
  // JSON with a number that does not fit a double is text here: REST has the number.
  if (typeof rest === 'object' && typeof ours === 'string') return ours
  if (typeof rest !== 'object' || rest === null) return rest
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      withDigests(value, typeof ours === 'object' && ours !== null ? Reflect.get(ours, key) : null),
    ]),
  )
}

describe('the messages of a chain with a proposal of every module', {
  tags: 'ingest:messages-equal-rest',
}, () => {
  it.each(RECORDED.map((each, n) => [`${each.proposal} (${n}): ${each.typeUrl}`, each] as const))(
    'equal the REST API: %s',
    (_, { typeUrl, valueBase64, rest }) => {
      const value = Buffer.from(valueBase64, 'base64')
      const { json, isComplete } = decodeAny(builtInSchema(), { typeUrl, value })
      expect(json).toEqual(withDigests(rest, json))
      expect(isComplete).toBe(true)
    },
  )

  it('are more than a hundred, and few of them are digests or text', () => {
    expect(RECORDED.length).toBeGreaterThan(100)
    const texts = RECORDED.filter(({ typeUrl, valueBase64, rest }) => {
      const value = Buffer.from(valueBase64, 'base64')
      const { json } = decodeAny(builtInSchema(), { typeUrl, value })
      return JSON.stringify(json) !== JSON.stringify(rest)
    })
    expect(texts.length).toBeLessThan(10)
  })
})
