// Signs and broadcasts the devnet's transactions in parallel, and returns the result of each on the chain.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EncodeObject, type GeneratedType, Registry } from '@cosmjs/proto-signing'
import { SigningStargateClient } from '@cosmjs/stargate'
import {
  QueryAccountInfoRequest,
  QueryAccountInfoResponse,
} from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import pLimit from 'p-limit'
import type { Account } from './accounts.ts'
import type { Devnet } from './chain.ts'
import { createRawRpc, type RawRpc } from './rpc.ts'

const POLL_MS = 60
/** The node checks transactions one by one: a thousand at once would wait there until the timeout of their requests. */
const AT_ONCE = 32

type TxEvent = { type: string; attributes: { key: string; value: string }[] }
type TxOutcome = { code: number; log: string; events: TxEvent[] }
type SendOptions = { mayFail?: boolean; gas?: number }

export type Chain = {
  rpc: RawRpc
  /** Height and time of the newest block, as followed. */
  tip(): { height: number; timeMs: number }
  /** Answers once the tx is in a block. A code other than 0 throws, unless `mayFail`. */
  send(from: Account, messages: readonly EncodeObject[], options?: SendOptions): Promise<TxOutcome>
  untilHeight(height: number): Promise<void>
  close(): Promise<void>
}

/** All messages are encoded already. */
const BYTES = {
  encode: (value: Uint8Array) => ({ finish: () => value }),
  fromPartial: (value: Uint8Array) => value,
} as unknown as GeneratedType

const computeHash = (tx: Buffer): string => createHash('sha256').update(tx).digest('hex')

/** Follows the chain block by block and gives the results of its transactions to those who wait for them. */
function followBlocks(rpc: RawRpc) {
  const waiting = new Map<string, (outcome: TxOutcome) => void>()
  const tip = { height: 0, timeMs: 0, stopped: false }
  const readBlock = async (height: number) => {
    const at = { height: String(height) }
    const { block } = await rpc.call('block', at)
    const { txs_results: results } = await rpc.call('block_results', at)
    for (const [index, tx] of (block.data.txs ?? []).entries()) {
      waiting.get(computeHash(Buffer.from(tx, 'base64')))?.(results[index])
    }
    tip.height = height
    tip.timeMs = Date.parse(block.header.time)
  }
  const follow = async () => {
    tip.height = Number((await rpc.call('status')).sync_info.latest_block_height) - 1
    while (!tip.stopped) {
      // The tip's results lag behind its block for an instant: ask again.
      await readBlock(tip.height + 1).catch(() => sleep(POLL_MS))
    }
  }
  return { tip, waiting, following: follow() }
}

export async function connectChain({ rpcUrl, spec }: Devnet): Promise<Chain> {
  const { chainId, gov = 'cosmos' } = spec
  const rpc = createRawRpc(rpcUrl)
  const registry = new Registry()
  const limit = pLimit(AT_ONCE)
  const { tip, waiting, following } = followBlocks(rpc)
  const untilHeight = async (height: number) => {
    while (tip.height < height) await sleep(POLL_MS)
  }

  const open = async ({ address, wallet }: Account) => {
    const request = QueryAccountInfoRequest.encode({ address }).finish()
    const bytes = await rpc.query('/cosmos.auth.v1beta1.Query/AccountInfo', request, 0)
    const { accountNumber = 0n, sequence = 0n } = QueryAccountInfoResponse.decode(bytes).info ?? {}
    const client = await SigningStargateClient.offline(wallet, { registry })
    return { client, accountNumber, sequence: Number(sequence), turn: Promise.resolve<unknown>(0) }
  }
  const signers = new Map<string, ReturnType<typeof open>>()
  const findSigner = (account: Account) => {
    const signer = signers.get(account.address) ?? limit(() => open(account))
    signers.set(account.address, signer)
    return signer
  }

  const signAndSend = async (from: Account, messages: EncodeObject[], gas: number) => {
    const signer = await findSigner(from)
    const { client, accountNumber, sequence } = signer
    const fee = { amount: [], gas: String(gas) }
    const data = { accountNumber, sequence, chainId }
    const signed = await client.sign(from.address, messages, fee, '', data)
    const tx = Buffer.from(TxRaw.encode(signed).finish())
    const included = new Promise<TxOutcome>((resolve) => waiting.set(computeHash(tx), resolve))
    const answer = await rpc.call('broadcast_tx_sync', { tx: tx.toString('base64') })
    if (answer.code !== 0) throw new Error(`${from.name}: tx refused: ${answer.log}`)
    signer.sequence += 1
    return { included }
  }
  const send: Chain['send'] = async (from, messages, { mayFail = false, gas = 8_000_000 } = {}) => {
    const signer = await findSigner(from)
    const named = messages.map(({ typeUrl, value }) => {
      const name = typeUrl.replace('/cosmos.gov.', `/${gov}.gov.`)
      registry.register(name, BYTES)
      return { typeUrl: name, value }
    })
    // One account's transactions are signed and sent one after the other: sequences have no gap.
    const sent = signer.turn.then(() => limit(() => signAndSend(from, named, gas)))
    signer.turn = sent.catch(() => undefined)
    const outcome = await (await sent).included
    if (outcome.code === 0 || mayFail) return outcome
    throw new Error(`${from.name}: a tx failed: ${outcome.log}`)
  }
  const close = async () => {
    tip.stopped = true
    await following
  }
  return { rpc, tip: () => tip, send, untilHeight, close }
}

export function eventValue({ events }: TxOutcome, type: string, key: string): string {
  const found = events
    .filter((event) => event.type === type)
    .flatMap(({ attributes }) => attributes)
    .find((attribute) => attribute.key === key)
  if (!found) throw new Error(`a tx has no ${type}.${key}`)
  return found.value
}
