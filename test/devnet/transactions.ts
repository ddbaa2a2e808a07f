// Signs and broadcasts the devnet's transactions in parallel, and returns the result of each on the chain.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EncodeObject, type GeneratedType, Registry } from '@cosmjs/proto-signing'
import { defaultRegistryTypes, SigningStargateClient } from '@cosmjs/stargate'
import {
  QueryAccountInfoRequest,
  QueryAccountInfoResponse,
} from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import pLimit, { type LimitFunction } from 'p-limit'
import type { Account } from './accounts.ts'
import { EXTRA_TYPES } from './messages.ts'
import { createRawRpc, type RawRpc } from './rpc.ts'

const POLL_MS = 60
const INCLUSION_TIMEOUT_MS = 60_000
/** The node checks transactions one by one: a thousand at once would wait there until the timeout of their requests. */
const SENDERS_AT_ONCE = 32

export type TxEvent = { type: string; attributes: { key: string; value: string }[] }
export type TxOutcome = {
  hash: string
  height: number
  code: number
  log: string
  events: TxEvent[]
}

export type Chain = {
  rpc: RawRpc
  /** Height and time of the newest block, as followed. */
  tip(): { height: number; timeMs: number }
  /** Answers once the tx is in a block. A code other than 0 throws, unless `mayFail`. */
  send(from: Account, messages: EncodeObject[], options?: SendOptions): Promise<TxOutcome>
  untilHeight(height: number): Promise<void>
  close(): Promise<void>
}
type SendOptions = { mayFail?: boolean; gas?: number; memo?: string }

type Signer = {
  client: SigningStargateClient
  accountNumber: bigint
  sequence: number
  turn: Promise<unknown>
}

function createSigners(rpc: RawRpc, registry: Registry, limit: LimitFunction) {
  const signers = new Map<string, Promise<Signer>>()
  const open = async (account: Account): Promise<Signer> => {
    const request = QueryAccountInfoRequest.encode({ address: account.address }).finish()
    const bytes = await rpc.query('/cosmos.auth.v1beta1.Query/AccountInfo', request, 0)
    const { info } = QueryAccountInfoResponse.decode(bytes)
    return {
      client: await SigningStargateClient.offline(account.wallet, { registry }),
      accountNumber: info?.accountNumber ?? 0n,
      sequence: Number(info?.sequence ?? 0),
      turn: Promise.resolve(),
    }
  }
  return (account: Account): Promise<Signer> => {
    let signer = signers.get(account.address)
    if (!signer) {
      signer = limit(() => open(account))
      signers.set(account.address, signer)
    }
    return signer
  }
}

type Waiter = { resolve(outcome: TxOutcome): void }

/** Follows the chain block by block and settles pending transactions. */
function followBlocks(rpc: RawRpc) {
  const waiters = new Map<string, Waiter>()
  const state = { height: 0, timeMs: 0, stopped: false }
  const readBlock = async (height: number) => {
    const [block, results] = await Promise.all([
      rpc.call('block', { height: String(height) }),
      rpc.call('block_results', { height: String(height) }),
    ])
    for (const [index, tx] of (block.block.data.txs ?? []).entries()) {
      const hash = createHash('sha256').update(Buffer.from(tx, 'base64')).digest('hex')
      const result = results.txs_results[index]
      const outcome = { hash, height, code: result.code, log: result.log, events: result.events }
      waiters.get(hash)?.resolve(outcome)
      waiters.delete(hash)
    }
    state.height = height
    state.timeMs = Date.parse(block.block.header.time)
  }
  const follow = async () => {
    state.height = Number((await rpc.call('status')).sync_info.latest_block_height) - 1
    while (!state.stopped) {
      // The tip's results lag behind its block for an instant: ask again.
      const isRead = await readBlock(state.height + 1).then(
        () => true,
        () => false,
      )
      if (!isRead) await sleep(POLL_MS)
    }
  }
  const following = follow()
  const wait = (hash: string) =>
    new Promise<TxOutcome>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiters.delete(hash)
        reject(new Error(`tx ${hash} was in no block within ${INCLUSION_TIMEOUT_MS} ms`))
      }, INCLUSION_TIMEOUT_MS)
      waiters.set(hash, {
        resolve: (outcome) => {
          clearTimeout(timer)
          resolve(outcome)
        },
      })
    })
  return { state, wait, following }
}

/** `types` are the messages of this chain alone. */
export async function connectChain(
  rpcUrl: string,
  chainId: string,
  types: readonly [string, GeneratedType][] = [],
): Promise<Chain> {
  const rpc = createRawRpc(rpcUrl)
  const registry = new Registry([...defaultRegistryTypes, ...EXTRA_TYPES, ...types])
  const limit = pLimit(SENDERS_AT_ONCE)
  const signerOf = createSigners(rpc, registry, limit)
  const { state, wait, following } = followBlocks(rpc)

  const broadcast = async (from: Account, messages: EncodeObject[], options: SendOptions) => {
    const signer = await signerOf(from)
    const signAndSend = async () => {
      const { accountNumber, sequence } = signer
      const fee = { amount: [], gas: String(options.gas ?? 900_000) }
      const data = { accountNumber, sequence, chainId }
      const signed = await signer.client.sign(from.address, messages, fee, options.memo ?? '', data)
      const bytes = TxRaw.encode(signed).finish()
      const hash = createHash('sha256').update(bytes).digest('hex')
      const included = wait(hash)
      const answer = await rpc.call('broadcast_tx_sync', {
        tx: Buffer.from(bytes).toString('base64'),
      })
      if (answer.code !== 0) throw new Error(`${from.name}: tx refused: ${answer.log}`)
      signer.sequence += 1
      return { included }
    }
    // One account's transactions are signed and sent one after the other: sequences have no gap.
    const sent = signer.turn.then(() => limit(signAndSend))
    signer.turn = sent.catch(() => undefined)
    return (await sent).included
  }

  const send: Chain['send'] = async (from, messages, options = {}) => {
    const outcome = await broadcast(from, messages, options)
    if (outcome.code !== 0 && !options.mayFail) {
      throw new Error(
        `${from.name}: tx ${outcome.hash} failed with ${outcome.code}: ${outcome.log}`,
      )
    }
    return outcome
  }
  const untilHeight: Chain['untilHeight'] = async (height) => {
    while (state.height < height) await sleep(POLL_MS)
  }
  const close = async () => {
    state.stopped = true
    await following
  }
  return {
    rpc,
    tip: () => ({ height: state.height, timeMs: state.timeMs }),
    send,
    untilHeight,
    close,
  }
}

export function eventValue(outcome: TxOutcome, type: string, key: string): string {
  for (const event of outcome.events) {
    if (event.type !== type) continue
    const found = event.attributes.find((attribute) => attribute.key === key)
    if (found) return found.value
  }
  throw new Error(`tx ${outcome.hash} has no ${type}.${key}`)
}
