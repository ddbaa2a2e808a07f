// Detects whether the attributes of a block are base64 (`bytes`, up to 0.34) or plain (`string`, from 0.37 on). The decision is
// per block, never per value: "1400" is a proposal ID and valid base64 too.
import { decodeText } from '../../schema/text.ts'
import type { AbciAttribute } from './block.ts'

export type AttributeEncoding = 'base64' | 'plain'

/**
 * Keys that SDK modules write under event types that only they can emit (contracts get a `wasm` prefix). The
 * set of keys is closed, so they are better evidence than a version string.
 */
const KNOWN_KEYS: Readonly<Record<string, readonly string[]>> = {
  active_proposal: ['proposal_id', 'proposal_result'],
  burn: ['burner', 'amount'],
  cancel_proposal: ['sender', 'proposal_id'],
  coin_received: ['receiver', 'amount'],
  coin_spent: ['spender', 'amount'],
  commission: ['amount', 'validator'],
  complete_redelegation: ['source_validator', 'destination_validator', 'delegator', 'amount'],
  complete_unbonding: ['validator', 'delegator', 'amount'],
  delegate: ['validator', 'delegator', 'amount'],
  inactive_proposal: ['proposal_id', 'proposal_result'],
  message: ['action', 'module', 'sender'],
  mint: ['bonded_ratio', 'inflation', 'annual_provisions', 'amount'],
  proposal_deposit: ['depositor', 'amount', 'proposal_id', 'voting_period_start'],
  proposal_vote: ['voter', 'option', 'proposal_id'],
  redelegate: ['source_validator', 'destination_validator', 'amount'],
  rewards: ['amount', 'validator'],
  slash: ['address', 'power', 'reason', 'jailed'],
  submit_proposal: ['proposal_id', 'proposal_type', 'proposal_messages', 'voting_period_start'],
  transfer: ['recipient', 'sender', 'amount'],
  tx: ['fee', 'fee_payer', 'acc_seq', 'signature'],
  unbond: ['validator', 'amount'],
}

/** By event type, then by key. */
const evidence = new Map<string, ReadonlyMap<string, AttributeEncoding>>()
for (const [type, keys] of Object.entries(KNOWN_KEYS)) {
  const plain = keys.map((key): [string, AttributeEncoding] => [key, 'plain'])
  const encoded = keys.map((key): [string, AttributeEncoding] => [
    Buffer.from(key).toString('base64'),
    'base64',
  ])
  evidence.set(type, new Map([...plain, ...encoded]))
}

/** The encoding that an event shows by a known key; undefined if it has none. */
export const encodingShownBy = (
  type: string,
  attributes: readonly AbciAttribute[],
): AttributeEncoding | undefined => {
  const known = evidence.get(type)
  if (!known) return undefined
  for (const { key } of attributes) {
    const shown = known.get(key)
    if (shown) return shown
  }
  return undefined
}

const toEncoding = (version: string): AttributeEncoding => {
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version) ?? []
  return major === '0' && Number(minor) <= 34 ? 'base64' : 'plain'
}

export type EncodingHints = { finalizes: boolean; nodeVersion: string }

/**
 * For a block without a known key: it has no events of x/gov or x/staking. `finalize_block_events` means 0.38 or newer;
 * last by the version of the node.
 */
export const encodingByVersion = ({ finalizes, nodeVersion }: EncodingHints): AttributeEncoding =>
  finalizes ? 'plain' : toEncoding(nodeVersion)

export const decodeAttribute = (
  { key, value }: AbciAttribute,
  encoding: AttributeEncoding,
): AbciAttribute =>
  encoding === 'plain' ? { key, value } : { key: fromBase64(key), value: fromBase64(value) }

const fromBase64 = (text: string): string => decodeText(Buffer.from(text, 'base64'))
