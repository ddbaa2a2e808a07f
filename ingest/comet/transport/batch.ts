// JSON-RPC batches: how many requests one may have, and the responses in it as they were received.
import type { Clock } from '../../../infra/base/runtime/clock.ts'

/** CometBFT refuses larger ones by default. */
const MAX_SIZE = 10
const FIRST_SIZE = 2
/** A batch should not have more bytes than this, as far as earlier responses tell. */
const TARGET_BYTES = 4 * 2 ** 20
/** Nor take longer. */
const TARGET_MS = 3_000
/** How long an endpoint that refuses batches is asked one at a time. */
const REFUSED_MS = 60 * 60_000
/** How long larger batches than after a refusal are not tried. */
const LIMITED_MS = 10 * 60_000
const WEIGHT = 0.3

type Answered = { kind: string | undefined; requests: number; bytes: number; tookMs: number }

export type BatchSize = ReturnType<typeof createBatchSize>

/** Grows with each answer. Shrinks after a refusal, an answer that is too large, or one that takes too long. */
export function createBatchSize(clock: Clock) {
  /** Smoothed, of one response. */
  const bytesOf = new Map<string, number>()
  let size = FIRST_SIZE
  let most = MAX_SIZE
  let limitedUntilMs = Number.NEGATIVE_INFINITY
  let refusedUntilMs = Number.NEGATIVE_INFINITY
  let hasWorked = false
  let isTrying = false
  const shrink = () => {
    size = Math.max(1, Math.floor(size / 2))
  }
  return {
    /** How many requests of a kind the next batch may have. */
    of: (kind: string): number => {
      if (isTrying || clock.now() < refusedUntilMs) return 1
      if (clock.now() >= limitedUntilMs) most = MAX_SIZE
      const bytes = bytesOf.get(kind)
      // Nothing is known yet: the first response shows whether responses are large.
      if (bytes === undefined) return 1
      return Math.max(1, Math.min(size, Math.floor(TARGET_BYTES / bytes)))
    },
    /** Whether any batch was answered. */
    hasWorked: () => hasWorked,
    /** A batch is being sent; returns what to call at its end. Until one has worked, there is one at a time. */
    begin: () => {
      const isFirst = !hasWorked
      isTrying ||= isFirst
      return () => {
        if (isFirst) isTrying = false
      }
    },
    answered: ({ kind, requests, bytes, tookMs }: Answered): void => {
      if (kind === undefined) return
      const before = bytesOf.get(kind)
      const each = bytes / requests
      bytesOf.set(kind, before === undefined ? each : before + (each - before) * WEIGHT)
      if (requests === 1) {
        // Tries batches again after it was shrunk to single requests.
        if (size === 1) size = Math.min(FIRST_SIZE, most)
        return
      }
      hasWorked = true
      if (tookMs > TARGET_MS) shrink()
      else if (requests === size) size = Math.min(most, size * 2)
    },
    /** The endpoint takes no batches. */
    refused: () => {
      refusedUntilMs = clock.now() + REFUSED_MS
    },
    /** The batch was too large, or took too long. */
    tooMuch: shrink,
    /** The endpoint limits requests, and may count each one of a batch. */
    limited: () => {
      shrink()
      most = size
      limitedUntilMs = clock.now() + LIMITED_MS
    },
  }
}

const START = Buffer.from('{"jsonrpc":"2.0","id":')
const BRACKET = 0x5b
const CLOSE_BRACE = 0x7d
const AFTER_ITEM = /^\s*[,\]]\s*$/

/**
 * By ID; undefined if the response is no batch as any node writes it. Inside of a string, its first bytes would have a backslash before
 * each quote.
 */
export function splitBatch(text: Buffer): ReadonlyMap<number, Buffer> | undefined {
  if (text[0] !== BRACKET) return undefined
  const parts = new Map<number, Buffer>()
  for (let at = text.indexOf(START); at !== -1; ) {
    const next = text.indexOf(START, at + START.length)
    const end = next === -1 ? text.length : next
    const close = text.lastIndexOf(CLOSE_BRACE, end - 1)
    if (close < at || !AFTER_ITEM.test(text.toString('latin1', close + 1, end))) return undefined
    const id = Number.parseInt(
      text.toString('latin1', at + START.length, at + START.length + 16),
      10,
    )
    parts.set(id, text.subarray(at, close + 1))
    at = next
  }
  return parts.size > 0 ? parts : undefined
}
