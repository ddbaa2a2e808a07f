// Receives the body of one response, within its limit of size, its share of memory and its deadline. A large body is parsed in
// parts while it arrives, if the caller can read it so.
import type { Readable } from 'node:stream'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import { invalidResponse } from './decode.ts'
import { parseCounted } from './json-lists.ts'
import type { Part } from './memory-budget.ts'
import { LARGE_BYTES } from './response-limits.ts'

/** Memory of a response for each byte of its text: the text itself, the parsed values and what is decoded from them. */
const BYTES_PER_TEXT_BYTE = 8
/** The same of a response that is seldom parsed. */
const BYTES_PER_RAW_BYTE = 2

/** The largest error page of a proxy that is received. */
const MAX_ERROR_BYTES = 2 ** 20
/** What is read of the start of a body that is no JSON. */
const START_BYTES = 4_096

/** Reads a response in parts. */
export type PartReader = {
  write(chunk: Buffer): void
  /** The rest of the response. */
  end(): unknown
  /** Text that is not parsed yet. */
  readonly pendingBytes: number
  /** Memory of what was parsed and is kept. */
  readonly keptBytes: number
}

export type BodyOptions = {
  maxBytes: number
  /** The body of an error is shorter. */
  isError: boolean
  part: Part
  /** True if the text is kept as it is, and seldom parsed. */
  isRaw?: boolean
  watch: ProgressWatch
  /** If absent, the text is complete in memory before it is parsed. */
  createPartReader?: (() => PartReader) | undefined
}

export type Body = {
  bytes: number
  /** Throws `SyntaxError` or `RPC_INVALID_RESPONSE`. */
  parse(): unknown
  /** The first characters of a body that was not read in parts. */
  start(): string
  /** The text as it was received; undefined if it was read in parts. */
  text(): Buffer | undefined
}

export class OversizeError extends AppError {
  constructor(maxBytes: number) {
    super('RPC_INVALID_RESPONSE', `the response is larger than ${maxBytes} bytes`, {
      retryable: true,
    })
  }
}

export type ProgressWatch = {
  received(bytes: number): void
  /** The time until `resume` is not counted: this process waits, not the endpoint. */
  pause(): void
  resume(): void
  stop(): void
}

const TICKS = 10
const MIN_BYTES_PER_MS = 32

/**
 * Fails after `timeoutMs` without a byte, or if the whole takes much longer than its size explains. Counts ticks of the
 * event loop: while this process is busy, bytes wait unread and no tick counts.
 */
export const watchProgress = (
  timeoutMs: number,
  fail: (error: AppError) => void,
): ProgressWatch => {
  const tickMs = timeoutMs / TICKS
  let idle = 0
  let ticks = 0
  let bytes = 0
  let isPaused = false
  const expire = (message: string) =>
    fail(new AppError('DEADLINE_EXCEEDED', message, { retryable: true }))
  const timer = setInterval(() => {
    if (isPaused) return
    idle++
    ticks++
    if (idle >= TICKS) expire(`no ${bytes === 0 ? 'answer' : 'more bytes'} within ${timeoutMs} ms`)
    else if (ticks * tickMs > timeoutMs + bytes / MIN_BYTES_PER_MS)
      expire(`only ${bytes} bytes of the answer within ${Math.round(ticks * tickMs)} ms`)
  }, tickMs)
  return {
    received: (more) => {
      if (more > 0) idle = 0
      bytes += more
    },
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
      idle = 0
    },
    stop: () => clearInterval(timer),
  }
}

/** So many bytes of each chunk are looked at. */
const SAMPLES = 64

/** Bytes that count as progress: a response may be made of white space without an end. */
const progressOf = (text: Buffer): number => {
  const step = Math.max(1, Math.floor(text.length / SAMPLES))
  let seen = 0
  let said = 0
  for (let at = 0; at < text.length; at += step) {
    seen++
    if (text[at]! > 0x20) said++
  }
  return seen === 0 ? 0 : Math.round((text.length * said) / seen)
}

const brokenConnection = (wasPaused: boolean, cause?: unknown): AppError =>
  wasPaused
    ? // Not a fault of the endpoint: it may not wait for so long.
      new AppError('RPC_REFUSED', 'the connection ended while its answer waited for memory', {
        retryable: true,
        cause,
      })
    : new AppError('RPC_UNAVAILABLE', 'the connection broke in the middle of an answer', {
        retryable: true,
        cause,
      })

/** The parts of a body: as a text, until it is large and can be read in parts. */
const createParts = ({ createPartReader, isRaw }: BodyOptions) => {
  const bytesPerTextByte = isRaw ? BYTES_PER_RAW_BYTE : BYTES_PER_TEXT_BYTE
  let texts: Buffer[] = []
  let reader: PartReader | undefined
  let size = 0
  return {
    get size() {
      return size
    },
    get isRead() {
      return reader !== undefined
    },
    /** Returns the memory of all of it. */
    add: (text: Buffer): number => {
      const wasLarge = size > LARGE_BYTES
      size += text.length
      if (reader) reader.write(text)
      else texts.push(text)
      if (!wasLarge && size > LARGE_BYTES) {
        reader = createPartReader?.()
        for (const each of reader ? texts : []) reader?.write(each)
        if (reader) texts = []
      }
      if (!reader) return size * bytesPerTextByte
      // The text counts too, so that large blocks are received one at a time.
      return size + reader.pendingBytes * BYTES_PER_TEXT_BYTE + reader.keptBytes
    },
    body: (): Body => {
      let whole: Buffer | undefined
      const text = () => {
        whole ??= texts.length === 1 ? texts[0]! : Buffer.concat(texts)
        return whole
      }
      return {
        bytes: size,
        parse: () => (reader ? reader.end() : parseCounted(text())),
        start: () => (texts[0] ?? Buffer.alloc(0)).toString('utf8', 0, START_BYTES),
        text: () => (reader ? undefined : text()),
      }
    },
  }
}

/** Uses events: for many small responses an async iterator is slower than the read itself. */
export const readBody = (response: Readable, options: BodyOptions): Promise<Body> =>
  new Promise((resolve, reject) => {
    const { part, watch, isError } = options
    const maxBytes = isError ? Math.min(MAX_ERROR_BYTES, options.maxBytes) : options.maxBytes
    const parts = createParts(options)
    let hasWaited = false
    const refuse = (error: unknown) => {
      response.destroy()
      reject(error instanceof AppError ? error : invalidResponse('the response is not JSON', error))
    }
    const waitForMemory = async (available: Promise<void>) => {
      hasWaited = true
      watch.pause()
      await available
      watch.resume()
      response.resume()
    }
    const receive = (text: Buffer) => {
      watch.received(progressOf(text))
      if (parts.size + text.length > maxBytes) throw new OversizeError(maxBytes)
      const available = part.resize(parts.add(text))
      if (!available && !parts.isRead) return
      response.pause()
      if (available) void waitForMemory(available)
      // One part at a time: other work of the event loop comes between two of them.
      else setImmediate(() => response.resume())
    }
    response.on('data', (text: Buffer) => {
      try {
        receive(text)
      } catch (error) {
        refuse(error)
      }
    })
    response.on('end', () => resolve(parts.body()))
    response.on('close', () => {
      // Every response closes at its end, and an error with its stack is expensive.
      if (!response.readableEnded) reject(brokenConnection(hasWaited))
    })
    response.on('error', (error: NodeJS.ErrnoException) => {
      const isDamaged = error.code?.startsWith('Z_') && error.code !== 'Z_BUF_ERROR'
      reject(
        isDamaged
          ? invalidResponse('the response cannot be decompressed', error)
          : brokenConnection(hasWaited, error),
      )
    })
  })
