// Which messages of the node's Msg services no proposal has, and why that is right for some of them.
import { fromBinary } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'

const RELAYER =
  'relayers sign it, with proofs of another chain; its module has another message here'
/** Prefixes of type names, and why no proposal has them. */
const LEFT_OUT: Record<string, string> = {
  'ibc.core.channel.v1.Msg': RELAYER,
  'ibc.core.channel.v2.Msg': RELAYER,
  'ibc.core.client.v1.MsgCreateClient': RELAYER,
  'ibc.core.client.v1.MsgSubmitMisbehaviour': RELAYER,
  'ibc.core.client.v1.MsgUpgradeClient': RELAYER,
  'ibc.core.connection.v1.MsgConnection': RELAYER,
  'testpb.': 'linked into the node for its own tests; no module serves it',
}
/*
 * What the node does not have, tried on it:
 * - crisis: wasmd has no such module.
 * - params: a ParameterChangeProposal is refused, inside authz too: "unable to resolve type URL".
 * - Legacy contents other than text as a message of a proposal: wasmd routes none of them. Here they are inside authz and in a
 *   legacy submission, which the chain does not run when they are submitted.
 * - Maps: no message has one. Oneofs are in StakeAuthorization and in the key of a light client's validator.
 */

const TYPES = /"@type":"\/([^"]+)"/g

/** `messages`: of all proposals, as JSON, nested ones included. */
export function uncoveredTypes(schema: Uint8Array, messages: unknown): string[] {
  const covered = new Set([...JSON.stringify(messages).matchAll(TYPES)].map(([, type]) => type))
  const { file } = fromBinary(FileDescriptorSetSchema, schema)
  const services = file.flatMap(({ service }) => service).filter(({ name }) => name === 'Msg')
  const types = services.flatMap(({ method }) => method.map(({ inputType }) => inputType.slice(1)))
  const prefixes = Object.keys(LEFT_OUT)
  return types.filter(
    (type) => !covered.has(type) && !prefixes.some((prefix) => type.startsWith(prefix)),
  )
}
