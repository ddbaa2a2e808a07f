// Signs for a validator of a node, with times of a clock. The time of a block comes from the votes for the block before it. So an
// unchanged node makes the blocks of a year in minutes.
import { existsSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  bytesField,
  concat,
  readBytes,
  readFields,
  uintField,
} from '../../infra/app/chain/raw-message.ts'
import type { ConsensusKey } from './accounts.ts'
import { readUint } from './fields.ts'
import { fixed64Field, lengthPrefixed, type Time, timeField } from './sign-bytes.ts'

export type RemoteSigner = { close(): void }

type SignerOptions = {
  /** The Unix socket at which the node waits for its signer. */
  path: string
  key: ConsensusKey
  chainId: string
  /** The time of a vote for this height, in milliseconds. */
  timeAt: (height: number) => number
}

/** The members of `Message` in CometBFT's privval protocol. */
const MESSAGE = { publicKey: 1, vote: 3, proposal: 5, ping: 7 } as const
const VOTE = { timestamp: 5, signature: 8 } as const
const PROPOSAL = { timestamp: 6, signature: 7 } as const
const DIAL_MS = 30

const toTime = (ms: number): Time => ({
  seconds: BigInt(Math.floor(ms / 1_000)),
  nanos: BigInt(ms % 1_000) * 1_000_000n,
})

/** The members of the canonical form have other numbers, and heights of a fixed length. */
function toCanonical(bytes: Uint8Array, time: Uint8Array, options: SignerOptions): Uint8Array {
  const fields = readFields(bytes)
  const blockId = readBytes(fields, 4)
  const isNil = blockId === undefined || readBytes(readFields(blockId), 1) === undefined
  return lengthPrefixed(
    concat([
      uintField(1, readUint(fields, 1)),
      fixed64Field(2, readUint(fields, 2)),
      fixed64Field(3, readUint(fields, 3)),
      isNil ? Buffer.alloc(0) : bytesField(4, blockId),
      time,
      bytesField(6, Buffer.from(options.chainId)),
    ]),
  )
}

function toCanonicalProposal(bytes: Uint8Array, { chainId }: SignerOptions): Uint8Array {
  const fields = readFields(bytes)
  return lengthPrefixed(
    concat([
      uintField(1, readUint(fields, 1)),
      fixed64Field(2, readUint(fields, 2)),
      fixed64Field(3, readUint(fields, 3)),
      uintField(4, readUint(fields, 4)),
      bytesField(5, readBytes(fields, 5) ?? new Uint8Array()),
      bytesField(6, readBytes(fields, PROPOSAL.timestamp) ?? new Uint8Array()),
      bytesField(7, Buffer.from(chainId)),
    ]),
  )
}

/** The last one of a member wins, so members are replaced by appending them. */
const append = (bytes: Uint8Array, ...members: Uint8Array[]) => concat([bytes, ...members])

function createAnswer(options: SignerOptions) {
  let lastMs = 0
  const signVote = (vote: Uint8Array) => {
    // Block times must increase.
    const height = Number(readUint(readFields(vote), 2))
    lastMs = Math.max(lastMs + 1, options.timeAt(height))
    const time = timeField(VOTE.timestamp, toTime(lastMs))
    const signature = options.key.sign(toCanonical(vote, time, options))
    return append(vote, time, bytesField(VOTE.signature, signature))
  }
  const signProposal = (proposal: Uint8Array) => {
    const signature = options.key.sign(toCanonicalProposal(proposal, options))
    return append(proposal, bytesField(PROPOSAL.signature, signature))
  }
  return (message: Uint8Array): Uint8Array => {
    const [field] = readFields(message)
    if (!field || !('bytes' in field)) throw new Error('an empty request for a signature')
    const subject = readBytes(readFields(field.bytes), 1) ?? new Uint8Array()
    const answer = (signed: Uint8Array) => bytesField(field.number + 1, bytesField(1, signed))
    switch (field.number) {
      case MESSAGE.publicKey:
        return answer(bytesField(1, options.key.publicKey))
      case MESSAGE.vote:
        return answer(signVote(subject))
      case MESSAGE.proposal:
        return answer(signProposal(subject))
      case MESSAGE.ping:
        return bytesField(field.number + 1, new Uint8Array())
      default:
        throw new Error(`unknown request ${field.number} for a signature`)
    }
  }
}

/** The length of the first message with its prefix, if all of it has arrived. */
function findFrame(bytes: Buffer): { from: number; to: number } | undefined {
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    length += (byte & 127) * 2 ** (7 * at)
    if (byte < 128)
      return bytes.length >= at + 1 + length ? { from: at + 1, to: at + 1 + length } : undefined
  }
  return undefined
}

function serve(socket: Socket, options: SignerOptions): void {
  const answer = createAnswer(options)
  let received = Buffer.alloc(0)
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
    for (let frame = findFrame(received); frame; frame = findFrame(received)) {
      socket.write(lengthPrefixed(answer(received.subarray(frame.from, frame.to))))
      received = received.subarray(frame.to)
    }
  })
}

/** Connects once the node listens. */
export function startRemoteSigner(options: SignerOptions): RemoteSigner {
  let socket: Socket | undefined
  let isClosed = false
  const dial = async () => {
    while (!isClosed && !existsSync(options.path)) await sleep(DIAL_MS)
    if (isClosed) return
    socket = createConnection(options.path)
    // The node ends before its signer.
    socket.on('error', () => {})
    serve(socket, options)
  }
  void dial()
  return {
    close: () => {
      isClosed = true
      socket?.destroy()
    },
  }
}
