// Tests that times and durations that Go refuses are kept as bytes with the reason.
import { create, toBinary } from '@bufbuild/protobuf'
import { DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt'
import { describe, expect, it } from 'vitest'
import { builtInSchema } from '../../../../ingest/schema/built-in.ts'
import { decodeAny } from '../../../../ingest/schema/message-json.ts'

const schema = builtInSchema()

const decode = (
  desc: typeof DurationSchema | typeof TimestampSchema,
  seconds: bigint,
  nanos: number,
) => {
  const value = toBinary(desc, create(desc, { seconds, nanos }))
  return decodeAny(schema, { typeUrl: `/${desc.typeName}`, value }).json
}

const DIFFERENT_SIGNS = /nanos sign must match seconds sign/
const RANGE = /nanoseconds out of range|nanos must not be negative/

describe('a duration', () => {
  it.each([
    [5n, -1],
    [-5n, 1],
    [1n, -999_999_999],
    [-315_576_000_000n, 500_000_000],
  ])(
    'of %i seconds and %i nanoseconds is kept as bytes, because the signs differ',
    (seconds, nanos) => {
      const json = decode(DurationSchema, seconds, nanos)
      expect(json).toMatchObject({
        value: expect.any(String),
        '@reason': expect.stringMatching(DIFFERENT_SIGNS),
      })
    },
  )

  it.each([
    [0n, 1_000_000_000],
    [-1n, -1_000_000_000],
    [0n, -2_147_483_648],
  ])(
    'of %i seconds and %i nanoseconds is kept as bytes, because of the range',
    (seconds, nanos) => {
      expect(decode(DurationSchema, seconds, nanos)).toMatchObject({
        '@reason': expect.stringMatching(RANGE),
      })
    },
  )

  it.each([
    [5n, 1, '5.000000001s'],
    [-5n, -1, '-5.000000001s'],
    [0n, -1_000_000, '-0.001s'],
    [-7n, 0, '-7s'],
    [0n, 0, '0s'],
    [315_576_000_000n, 999_999_999, '315576000000.999999999s'],
  ])('of %i seconds and %i nanoseconds is %s', (seconds, nanos, text) => {
    expect(decode(DurationSchema, seconds, nanos)).toMatchObject({ value: text })
  })
})

describe('a timestamp', () => {
  it.each([-1, 1_000_000_000, -2_147_483_648])('with %i nanoseconds is kept as bytes', (nanos) => {
    expect(decode(TimestampSchema, 1n, nanos)).toMatchObject({
      '@reason': expect.stringMatching(RANGE),
    })
  })

  it('before 1970 has nanoseconds that count forward', () => {
    expect(decode(TimestampSchema, -1n, 999_999_999)).toMatchObject({
      value: '1969-12-31T23:59:59.999999999Z',
    })
  })
})
