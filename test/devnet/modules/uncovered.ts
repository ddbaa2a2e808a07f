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
 * Not in the node at all, and therefore not in its services either:
 * - crisis: wasmd does not have the module; its parameters are in no store;
 * - params: wasmd registers no handler, and a ParameterChangeProposal is refused even inside authz, because the type is not
 *   registered as a content;
 * - legacy contents other than text: refused as `MsgExecLegacyContent` of a proposal, which the chain runs at the submission.
 *   They are inside authz or a legacy submission here.
 * No message of the node has a map. Oneofs are in StakeAuthorization and in the validator's key of a light client's header.
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
