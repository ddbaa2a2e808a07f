// Decodes the messages of the proposals that a height submits, once each, and keeps the schema that was used.
import { builtInSchema } from '../schema/built-in.ts'
import type { ChainSchema } from '../schema/chain-schema.ts'
import type { AnyMessage } from '../schema/message-json.ts'
import { type DecodedMessages, decodeMessages } from '../schema/proposal-messages.ts'
import type { SchemaSource } from '../schema/schema-source.ts'

export type DecodedProposal = DecodedMessages & {
  /** The chain's own schema; undefined if the chain reports none. */
  ownSchema: ChainSchema | undefined
}

const NO_MESSAGES: DecodedMessages = { messages: [], kept: [], isComplete: true }

/** Loaded on first use: most chains never need the built-in schema. */
const decodeWith = (
  ownSchema: ChainSchema | undefined,
  messages: readonly AnyMessage[],
): DecodedProposal =>
  messages.length === 0
    ? { ...NO_MESSAGES, ownSchema }
    : { ...decodeMessages(ownSchema ?? builtInSchema(), messages), ownSchema }

const decode = async (
  schemas: SchemaSource,
  messages: readonly AnyMessage[],
): Promise<DecodedProposal> => {
  const latest = await schemas.latest()
  const decoded = decodeWith(latest, messages)
  if (decoded.isComplete) return decoded
  const other = await schemas.afterUnknown()
  return other === latest ? decoded : decodeWith(other, messages)
}

export type DecodedProposals = {
  decode(proposalId: string, messages: readonly AnyMessage[]): Promise<DecodedProposal>
  /** Undefined if its messages were not decoded. */
  decoded(proposalId: string): Promise<DecodedProposal> | undefined
}

export const createDecodedProposals = (schemas: SchemaSource): DecodedProposals => {
  const byId = new Map<string, Promise<DecodedProposal>>()
  return {
    decode: (proposalId, messages) => {
      const known = byId.get(proposalId) ?? decode(schemas, messages)
      byId.set(proposalId, known)
      return known
    },
    decoded: (proposalId) => byId.get(proposalId),
  }
}
