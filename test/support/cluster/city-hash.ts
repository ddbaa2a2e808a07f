// CityHash128 1.0.2, the checksum of files that ClickHouse replicas exchange. Follows Google's published algorithm.
const K0 = 0xc3a5c85c97cb3127n
const K1 = 0xb492b66fbe98f273n
const K2 = 0x9ae16a3b2f90404fn
const K3 = 0xc949d7c7509e6557n
const MULTIPLIER = 0x9ddfea08eb382d69n

export type Hash128 = { low: bigint; high: bigint }

const u64 = (value: bigint): bigint => BigInt.asUintN(64, value)
const times = (one: bigint, other: bigint): bigint => u64(one * other)
const rotate = (value: bigint, bits: bigint): bigint => (value >> bits) | u64(value << (64n - bits))
const shiftMix = (value: bigint): bigint => value ^ (value >> 47n)

const mix = (low: bigint, high: bigint): bigint => {
  const first = shiftMix(times(low ^ high, MULTIPLIER))
  return times(shiftMix(times(high ^ first, MULTIPLIER)), MULTIPLIER)
}

const hashUpTo16 = (bytes: Buffer): bigint => {
  const { length } = bytes
  if (length > 8) {
    const first = bytes.readBigUInt64LE(0)
    const last = bytes.readBigUInt64LE(length - 8)
    return mix(first, rotate(u64(last + BigInt(length)), BigInt(length))) ^ last
  }
  if (length >= 4) {
    const first = BigInt(bytes.readUInt32LE(0)) << 3n
    return mix(u64(first + BigInt(length)), BigInt(bytes.readUInt32LE(length - 4)))
  }
  if (length === 0) return K2
  const start = BigInt(bytes.readUInt8(0) + (bytes.readUInt8(length >>> 1) << 8))
  const end = BigInt(length + (bytes.readUInt8(length - 1) << 2))
  return times(shiftMix(times(start, K2) ^ times(end, K3)), K2)
}

const murmur = (bytes: Buffer, seed: Hash128): Hash128 => {
  const { length } = bytes
  let [a, b, c, d] = [seed.low, seed.high, 0n, 0n]
  if (length <= 16) {
    a = times(shiftMix(times(a, K1)), K1)
    c = u64(b * K1 + hashUpTo16(bytes))
    d = shiftMix(u64(a + (length >= 8 ? bytes.readBigUInt64LE(0) : c)))
  } else {
    c = mix(u64(bytes.readBigUInt64LE(length - 8) + K1), a)
    d = mix(u64(b + BigInt(length)), u64(c + bytes.readBigUInt64LE(length - 16)))
    a = u64(a + d)
    for (let at = 0; at < length - 16; at += 16) {
      a = times(a ^ times(shiftMix(times(bytes.readBigUInt64LE(at), K1)), K1), K1)
      b ^= a
      c = times(c ^ times(shiftMix(times(bytes.readBigUInt64LE(at + 8), K1)), K1), K1)
      d ^= c
    }
  }
  a = mix(a, c)
  b = mix(d, b)
  return { low: a ^ b, high: mix(b, a) }
}

const weak32 = (bytes: Buffer, at: number, { low, high }: Hash128): Hash128 => {
  const last = bytes.readBigUInt64LE(at + 24)
  const first = u64(low + bytes.readBigUInt64LE(at))
  const turned = rotate(u64(high + first + last), 21n)
  const sum = u64(first + bytes.readBigUInt64LE(at + 8) + bytes.readBigUInt64LE(at + 16))
  return { low: u64(sum + last), high: u64(turned + rotate(sum, 44n) + first) }
}

const hashLong = (bytes: Buffer, seed: Hash128): Hash128 => {
  const fetch = (at: number) => bytes.readBigUInt64LE(at)
  let [x, y, z] = [seed.low, seed.high, times(BigInt(bytes.length), K1)]
  const start = u64(rotate(y ^ K1, 49n) * K1 + fetch(0))
  let v: Hash128 = { low: start, high: u64(rotate(start, 42n) * K1 + fetch(8)) }
  let w: Hash128 = {
    low: u64(rotate(u64(y + z), 35n) * K1 + x),
    high: times(rotate(u64(x + fetch(88)), 53n), K1),
  }
  let at = 0
  for (; bytes.length - at >= 128; ) {
    for (const end = at + 128; at < end; at += 64) {
      x = times(rotate(u64(x + y + v.low + fetch(at + 16)), 37n), K1) ^ w.high
      y = times(rotate(u64(y + v.high + fetch(at + 48)), 42n), K1) ^ v.low
      z = rotate(z ^ w.low, 33n)
      v = weak32(bytes, at, { low: times(v.high, K1), high: u64(x + w.low) })
      w = weak32(bytes, at + 32, { low: u64(z + w.high), high: y })
      ;[x, z] = [z, x]
    }
  }
  y = u64(y + rotate(w.low, 37n) * K0 + z)
  x = u64(x + rotate(u64(v.low + z), 49n) * K0)
  for (let done = 32; done - 32 < bytes.length - at; done += 32) {
    const tail = bytes.length - done
    y = u64(rotate(u64(y - x), 42n) * K0 + v.high)
    w = { ...w, low: u64(w.low + fetch(tail + 16)) }
    x = u64(rotate(x, 49n) * K0 + w.low)
    w = { ...w, low: u64(w.low + v.low) }
    v = weak32(bytes, tail, v)
  }
  x = mix(x, v.low)
  y = mix(y, w.low)
  return {
    low: u64(mix(u64(x + v.high), w.high) + y),
    high: mix(u64(x + w.high), u64(y + v.high)),
  }
}

const BLOCK_BYTES = 2_048

/** The hash of a whole file as in ClickHouse: each block uses the hash of the previous block as its seed. */
export const fileHash = (bytes: Buffer): Hash128 => {
  let hash: Hash128 = { low: 0n, high: 0n }
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    const block = bytes.subarray(at, at + BLOCK_BYTES)
    hash = block.length < 128 ? murmur(block, hash) : hashLong(block, hash)
  }
  return hash
}
