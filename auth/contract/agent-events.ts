// Every event type in the log `rollcall.agents`, and its bytes: CloudEvents 1.0 with UUIDs as ids, written by any number of instances.
// Fields may be added, never renamed or dropped. The order of the log decides, never a time in an event.
import { type Static, type TSchema, Type } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { nullable } from '../../ingest/contract/facts.ts'

const RegistrationId = Type.String({ pattern: '^reg_[0-9A-Za-z_-]{16,64}$' })
const LoginId = Type.String({ pattern: '^lgn_[0-9A-Za-z_-]{16,64}$' })
const AttemptId = Type.String({ pattern: '^cla_[0-9A-Za-z_-]{16,64}$' })
/** SHA-256 in base64url: secrets and foreign identifiers are never stored in plain text. */
const Digest = Type.String({ pattern: '^[0-9A-Za-z_-]{43}$' })
/** RFC 3339, UTC. */
const Instant = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })

/** `id` is a UUID, `time` the instance's own clock, `subject` is `agents/{registration id}` or `tokens/{jti}`. */
const agentEvent = <Name extends string, Data extends TSchema>(type: Name, data: Data) =>
  Type.Object(
    {
      specversion: Type.Literal('1.0'),
      id: Type.String({ minLength: 36, maxLength: 36 }),
      source: Type.Literal('/agents'),
      subject: Type.String(),
      type: Type.Literal(type),
      time: Instant,
      datacontenttype: Type.Literal('application/json'),
      data,
    },
    { $id: type, title: type },
  )

/** An agent registered with an identity assertion of a trusted issuer. The first with this `jtiHash` is the registration. */
const AgentRegistered = agentEvent(
  'rollcall.agent.registered.v1',
  Type.Object({
    registrationId: RegistrationId,
    issuer: Type.String(),
    /** Hash of issuer, subject and client. It is the same if the agent registers again. */
    agentHash: Digest,
    /** Hash of issuer and `jti`. */
    jtiHash: Digest,
    assertionExpires: Instant,
  }),
)

/** A claim was started: from now on only this attempt of the registration counts. */
const ClaimStarted = agentEvent(
  'rollcall.claim.started.v1',
  Type.Object({
    registrationId: RegistrationId,
    attemptId: AttemptId,
    /** Hash of the token in the link for the human. */
    attemptTokenHash: Digest,
    registeredAt: Instant,
    startedAt: Instant,
    userCode: Type.String(),
    nonce: Type.String(),
    expires: Instant,
    /** The only wallet that may complete it; null if any may. */
    loginHint: nullable(Type.String()),
    clientName: nullable(Type.String()),
  }),
)

/** A wallet signed. The first event of a registration is its claim; later ones are void. */
const ClaimCompleted = agentEvent(
  'rollcall.claim.completed.v1',
  Type.Object({
    registrationId: RegistrationId,
    attemptId: AttemptId,
    chainId: Type.String(),
    address: Type.String(),
    /** Compressed, base64. */
    publicKey: Type.String(),
    algorithm: Type.Union([Type.Literal('secp256k1'), Type.Literal('eth-secp256k1')]),
  }),
)

/** The agent collected its tokens. The first event of a claim counts: the claim token is invalid afterwards. */
const ClaimRedeemed = agentEvent(
  'rollcall.claim.redeemed.v1',
  Type.Object({ registrationId: RegistrationId, attemptId: AttemptId }),
)

/** The human denied the claim. A later attempt may still be completed. */
const ClaimDenied = agentEvent(
  'rollcall.claim.denied.v1',
  Type.Object({ registrationId: RegistrationId, attemptId: AttemptId }),
)

/** The code of a login (step 0) or one of its refresh tokens was used. A step that was used before ends the login. */
const LoginAdvanced = agentEvent(
  'rollcall.login.advanced.v1',
  Type.Object({
    loginId: LoginId,
    step: Type.Integer({ minimum: 0 }),
    /** Of the refresh token that the use gave. */
    expires: Instant,
  }),
)

/** An access token ended early; or, as `identity_assertion`, a registration or a login with all its tokens. */
const TokenRevoked = agentEvent(
  'rollcall.token.revoked.v1',
  Type.Object({
    kind: Type.Union([Type.Literal('access_token'), Type.Literal('identity_assertion')]),
    /** Its `jti`; of a registration that ended without an assertion, the registration id. */
    tokenId: Type.String({ minLength: 1, maxLength: 128 }),
    /** The subject of the token: a registration, a login, or a client without one. */
    subject: Type.String({ minLength: 1, maxLength: 256 }),
    expires: Instant,
    /** Time of an unclaimed anonymous registration. It defines how long the revocation must be stored. */
    registeredAt: Type.Optional(Instant),
    /** What ended a registration. */
    by: Type.Optional(
      Type.Union([
        Type.Literal('identity_assertion'),
        Type.Literal('claim_token'),
        Type.Literal('refresh_token'),
      ]),
    ),
  }),
)

export const AgentEvent = Type.Union([
  AgentRegistered,
  ClaimStarted,
  ClaimCompleted,
  ClaimRedeemed,
  ClaimDenied,
  LoginAdvanced,
  TokenRevoked,
])
export type AgentEvent = Static<typeof AgentEvent>
export type AgentEventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>

export type DecodedAgentEvent = { ok: true; event: AgentEvent } | { ok: false; reason: string }

const checks = new Map<string, Validator>()
for (const schema of AgentEvent.anyOf) {
  const type = (schema as { properties: { type: { const: string } } }).properties.type.const
  checks.set(type, Compile(schema as TSchema))
}

/** JSON, UTF-8. Does not check the schema; `decodeAgentEvent` does. */
export const encodeAgentEvent = (event: AgentEvent): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(event))

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Never throws: returns the reason for bytes that are not an event. */
export const decodeAgentEvent = (bytes: Uint8Array): DecodedAgentEvent => {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    return { ok: false, reason: `not JSON: ${(cause as Error).message}` }
  }
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : ''
  const check = checks.get(String(type))
  if (!check) return { ok: false, reason: `unknown event type ${String(type)}` }
  if (!check.Check(value))
    return { ok: false, reason: `${String(type)}: does not match its schema` }
  return { ok: true, event: value as AgentEvent }
}
