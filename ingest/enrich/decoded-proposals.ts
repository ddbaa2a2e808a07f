// The messages of the proposals that a height submits, each decoded once, with the schema that was used.
import type { ChainSchema } from '../schema/chain-schema.ts'
import type { AnyMessage } from '../schema/message-json.ts'
import { type DecodedMessages, decodeMessages } from '../schema/proposal-messages.ts'
import type { SchemaSource } from '../schema/schema-source.ts'

export type DecodedProposal = DecodedMessages & { schema: ChainSchema }

const decode = async (
  schemas: SchemaSource,
  messages: readonly AnyMessage[],
): Promise<DecodedProposal> => {
  const schema = await schemas.latest()
  const decoded = decodeMessages(schema, messages)
  if (decoded.isComplete) return { ...decoded, schema }
  const other = await schemas.afterUnknown()
  return other === schema
    ? { ...decoded, schema }
    : { ...decodeMessages(other, messages), schema: other }
}

export type DecodedProposals = {
  decode(proposalId: string, messages: readonly AnyMessage[]): Promise<DecodedProposal>
  /** Undefined where its messages were not decoded. */
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
