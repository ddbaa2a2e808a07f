// `/auth.md`: how an agent registers, gets a token and reads with it, in commands that run unchanged. Pure.
import { GRANT, ID_JAG_TYPE, PATHS, SCOPE } from '../../auth/contract/service.ts'
import { type About, type Document, MARKDOWN_TYPE } from './about.ts'

/** A shell expression that reads a member from a JSON file. */
const member = (name: string, file: string): string =>
  String.raw`$(sed -n 's/.*"${name}": *"\([^"]*\)".*/\1/p' ${file})`

const sh = (...lines: readonly string[]): string => ['```sh', ...lines, '```'].join('\n')

const WITHOUT_TOKENS = (
  urls: About['service']['urls'],
): string => `# auth.md: reading governance without a token

This deployment issues no tokens. Every URL below ${urls.api} is public. Send no \`Authorization\` header:

${sh(`curl -fsS '${urls.proposals}'`)}

A request with any bearer token is refused with 401.
`

const discover = (urls: About['service']['urls']): string => `## 1. Discover

The resource metadata names the authorization server. The metadata of that server has every URL used below:

${sh(`curl -fsS '${urls.protectedResource}'`, `curl -fsS '${urls.authorizationServer}'`)}

You need \`issuer\`, \`token_endpoint\` and \`agent_auth.register_uri\`. The only scope is \`${SCOPE}\`.

## 2. Choose a method

| method | use | available |
|---|---|---|
| \`anonymous\` | recommended for every agent | yes |
| \`identity_assertion\` | an agent with an ID-JAG of its provider for this audience | for providers that this service trusts |
| \`client_credentials\` | a token without registration; it identifies no agent and cannot be claimed | yes |
| \`verified_email\` | not supported; this service sends no email | no: the error is \`verified_email_not_enabled\` |
`

const register = (urls: About['service']['urls']): string => `## 3. Register

${sh(
  `curl -fsS '${urls.identity}' -H 'content-type: application/json' -d '{"type":"anonymous"}' -o registration.json`,
  `TOKEN=${member('access_token', 'registration.json')}`,
  `ASSERTION=${member('identity_assertion', 'registration.json')}`,
  `CLAIM=${member('claim_token', 'registration.json')}`,
)}

The response has these members:

| member | valid for |
|---|---|
| \`registration_id\` | as long as the registration exists |
| \`identity_assertion\` | an hour |
| \`claim_token\` | a day; you receive it once |
| \`access_token\` | 15 minutes |

Assertion, claim token and access token are secrets: keep the file private.

Each of these has its own limit per minute and IP address: registration, tokens without registration, and claims with revocations.
\`RateLimit\` headers do not include these limits. Above a limit the response is 429 with \`Retry-After\`. Register once and keep the response.

To register with an ID-JAG of your provider, send this body:
\`{"type":"identity_assertion","assertion_type":"${ID_JAG_TYPE}","assertion":"<the ID-JAG>"}\`.
Its audience must be \`${urls.home.replace(/\/$/, '')}\`. It must name a user who logged in within the last hour. It is accepted once.

## 4. Use the token

${sh(`curl -fsS '${urls.proposals}' -H "authorization: Bearer $TOKEN" -o proposals.json`)}

Send the token in this header only: a token in the URL or in a body is refused. A request with an invalid token gets a 401.
Its \`WWW-Authenticate\` header has the URL of the resource metadata. Your IP address has a larger quota while the token is valid.
The \`RateLimit\` headers of each response show the quota.
`

const exchange = (urls: About['service']['urls']): string => `## 5. Get the next token

When an access token has expired, exchange the identity assertion for a new one:

${sh(
  `curl -fsS '${urls.token}' -d grant_type=${GRANT.jwtBearer} -d "assertion=$ASSERTION" -o token.json`,
  `TOKEN=${member('access_token', 'token.json')}`,
  `curl -fsS '${urls.health}' -H "authorization: Bearer $TOKEN"`,
)}

\`invalid_grant\` means that the assertion has expired or was revoked: register again. For an MCP client add \`-d resource=${urls.mcp}\`.

You can also get a token without registration. This grant has no client secret, unlike RFC 6749, section 4.4. The token identifies no agent.

${sh(`curl -fsS '${urls.token}' -d grant_type=${GRANT.clientCredentials} -d scope=${SCOPE}`)}
`

const claim = (
  urls: About['service']['urls'],
): string => `## 6. Let a person claim the agent (optional)

A claim links the agent to the wallet of its owner. It changes no scope. A registration without a claim stays valid.

${sh(
  `curl -sS '${urls.claim}' -H 'content-type: application/json' -d "{\\"claim_token\\":\\"$CLAIM\\"}" -o claim.json`,
)}

Show \`claim_attempt.verification_uri\` and \`claim_attempt.user_code\` to the owner. The owner compares the code, then signs a text with
a wallet or refuses. Meanwhile send this request, with at least \`interval\` seconds between two requests:

${sh(`curl -sS '${urls.token}' -d grant_type=${GRANT.claim} -d "claim_token=$CLAIM"`)}

| error | what to do |
|---|---|
| \`authorization_pending\` | continue |
| \`slow_down\` | add five seconds to the interval |
| \`expired_token\` | start this section again |
| \`access_denied\` | stop: the owner refused |
| \`invalid_grant\` | stop: this claim token was used already |
| \`claim_not_enabled\` | stop: this deployment accepts no claims |

After a successful claim the response has an access token and a new \`identity_assertion\`. You receive it once.
Earlier tokens and the earlier assertion become invalid. The claim token can still revoke the registration: keep it secret.
`

const errors = (urls: About['service']['urls']): string => `## Errors

Error bodies are JSON with \`error\`, \`error_description\` and \`message\`.

| status | what to do |
|---|---|
| 401 on a read | exchange the assertion once (section 5), then start at section 1 |
| 429 | wait \`Retry-After\` seconds |
| 503 | send the same request again after \`Retry-After\` seconds |
| another 4xx | correct the request; do not repeat it unchanged |

## Revoke

${sh(`curl -fsS '${urls.revoke}' -d "token=$TOKEN"`)}

The status is 200 for known and unknown tokens. The revocation applies from the next request. An access token revokes only itself.
\`$ASSERTION\` or \`$CLAIM\` in its place revokes the registration with all its tokens. A read with a revoked token gets a 401:

${sh(`curl -sS -o refused.json -w '%{http_code}\\n' '${urls.proposals}' -H "authorization: Bearer $TOKEN"`)}

## What no token can do

A token cannot vote or move funds. A vote is a transaction that a wallet signs; this service only reads it.
There is no refresh token and no ID token. Scanners must use GET only: each POST to a registration endpoint creates a registration.
`

const write = ({ service: { urls }, issuesTokens }: About): string =>
  issuesTokens
    ? `# auth.md: registration and tokens for agents

Run the commands unchanged and in this order. They need only a shell and \`curl\`. Reading is public: a token identifies the agent.

${[discover, register, exchange, claim, errors].map((part) => part(urls)).join('\n')}`
    : WITHOUT_TOKENS(urls)

export const authMd: Document = {
  path: PATHS.authMd,
  type: MARKDOWN_TYPE,
  maxAgeSeconds: 300,
  write,
}
