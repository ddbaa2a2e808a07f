// `/auth.md`: how an agent gets from nothing to a token and to a read, in commands that can be run as they stand. Pure.
import { GRANT, ID_JAG_TYPE, PATHS, SCOPE } from '../../auth/contract/service.ts'
import { type About, type Document, MARKDOWN_TYPE } from './about.ts'

/** A member out of the answer kept in a file. */
const member = (name: string, file: string): string =>
  String.raw`$(sed -n 's/.*"${name}": *"\([^"]*\)".*/\1/p' ${file})`

const sh = (...lines: readonly string[]): string => ['```sh', ...lines, '```'].join('\n')

const WITHOUT_TOKENS = (
  urls: About['service']['urls'],
): string => `# auth.md: reading governance without a token

This deployment gives out no tokens. Every address below ${urls.api} is public and is read without an \`Authorization\` field:

${sh(`curl -fsS '${urls.proposals}'`)}

A bearer token is refused with 401, whichever it is: leave the field out.
`

const discover = (urls: About['service']['urls']): string => `## 1. Discover

The resource names its authorization server, and that one names every address used below:

${sh(`curl -fsS '${urls.protectedResource}'`, `curl -fsS '${urls.authorizationServer}'`)}

\`issuer\`, \`token_endpoint\` and \`agent_auth.register_uri\` are what you need. Scope: \`${SCOPE}\`, the only one there is.

## 2. Pick a method

| method | for whom | works here |
|---|---|---|
| \`anonymous\` | every agent that only reads: recommended | yes |
| \`identity_assertion\` | agents whose provider issues an ID-JAG for this audience | with providers that this service was told to trust |
| \`client_credentials\` | a token without registration: names nobody, cannot be claimed | yes |
| \`verified_email\` | nobody: it is advertised, but no e-mail is ever sent | no: answers \`verified_email_not_enabled\` |
`

const register = (urls: About['service']['urls']): string => `## 3. Register

${sh(
  `curl -fsS '${urls.identity}' -H 'content-type: application/json' -d '{"type":"anonymous"}' -o registration.json`,
  `TOKEN=${member('access_token', 'registration.json')}`,
  `ASSERTION=${member('identity_assertion', 'registration.json')}`,
  `CLAIM=${member('claim_token', 'registration.json')}`,
)}

The answer holds \`registration_id\`, \`identity_assertion\` (an hour), \`claim_token\` (a day, shown once) and an \`access_token\` (15 minutes) that can be
used at once. All three are secrets: keep the file to yourself.

Registering has a limit of its own, so many a minute from one address, which the \`RateLimit\` fields do not tell of; so have tokens without registration, and claims
with revocations. Beyond it the answer is 429 with \`Retry-After\`. Register once and keep the answer.

With an ID-JAG of your provider instead: \`{"type":"identity_assertion","assertion_type":"${ID_JAG_TYPE}","assertion":"<the ID-JAG>"}\`.
It must be issued for \`${urls.home.replace(/\/$/, '')}\`, name a human who logged in within the last hour, and is taken once.

## 4. Use it

${sh(`curl -fsS '${urls.proposals}' -H "authorization: Bearer $TOKEN" -o proposals.json`)}

In the header only: a token in the address or in a body is refused. A token that does not hold is answered with 401 and where to go on, never
silently taken for none. While it holds, a larger quota applies to your address: the \`RateLimit\` fields of the answer say which.
`

const exchange = (urls: About['service']['urls']): string => `## 5. Get the next token

Whenever one has ended, with the identity assertion:

${sh(
  `curl -fsS '${urls.token}' -d grant_type=${GRANT.jwtBearer} -d "assertion=$ASSERTION" -o token.json`,
  `TOKEN=${member('access_token', 'token.json')}`,
  `curl -fsS '${urls.health}' -H "authorization: Bearer $TOKEN"`,
)}

\`invalid_grant\` means that the assertion has ended or was revoked: register again. For an MCP client add \`-d resource=${urls.mcp}\`.

Without any registration. This deviates from RFC 6749, section 4.4: there is no secret, so such a token reads what is public and names nobody.

${sh(`curl -fsS '${urls.token}' -d grant_type=${GRANT.clientCredentials} -d scope=${SCOPE}`)}
`

const claim = (urls: About['service']['urls']): string => `## 6. Let a human claim you (optional)

An unclaimed registration stays valid; a claim only says whose agent you are, and changes no scope.

${sh(
  `curl -sS '${urls.claim}' -H 'content-type: application/json' -d "{\\"claim_token\\":\\"$CLAIM\\"}" -o claim.json`,
)}

Show your human \`claim_attempt.verification_uri\` and \`claim_attempt.user_code\`. They compare the code, sign a text with their wallet, or refuse. Meanwhile ask, never
more often than every \`interval\` seconds:

${sh(`curl -sS '${urls.token}' -d grant_type=${GRANT.claim} -d "claim_token=$CLAIM"`)}

\`authorization_pending\`: go on. \`slow_down\`: five seconds more each time. \`expired_token\`: start this section anew. \`access_denied\`: they refused, stop. When it is
done the answer is a token with a new \`identity_assertion\`; the tokens and the assertion from before end. It is given once: \`invalid_grant\` means that this claim token was used.
The claim token can still revoke the registration: keep it secret. Where no chain's wallets may claim, starting one answers \`claim_not_enabled\`.
`

const errors = (urls: About['service']['urls']): string => `## Errors

JSON with \`error\`, \`error_description\` and \`message\`. 401 on a read: exchange the assertion once (5), then start at 1. 429: wait \`Retry-After\` seconds. 503: the
same again soon. Any other 4xx: never the same request again.

## Revoke

${sh(`curl -fsS '${urls.revoke}' -d "token=$TOKEN"`)}

It answers 200 whether or not the token was known, and holds for the next request. An access token ends alone; \`$ASSERTION\` or \`$CLAIM\` ends the registration with all its tokens.
From then on a read with it is 401:

${sh(`curl -sS -o refused.json -w '%{http_code}\\n' '${urls.proposals}' -H "authorization: Bearer $TOKEN"`)}

## What no token can do

Vote, or move funds. Votes are transactions that a wallet signs and the chain takes; this service only reads them. There is no refresh token and no ID token. Scanners: only
GET these documents; a POST to a registration endpoint is a registration.
`

const write = ({ service: { urls }, issuesTokens }: About): string =>
  issuesTokens
    ? `# auth.md: registration and tokens for agents that read Rollcall

For agents. Each command can be run as it stands, in this order, with nothing but \`curl\` and a shell. Reading is public: a token only tells who
reads.

${[discover, register, exchange, claim, errors].map((part) => part(urls)).join('\n')}`
    : WITHOUT_TOKENS(urls)

export const authMd: Document = {
  path: PATHS.authMd,
  type: MARKDOWN_TYPE,
  maxAgeSeconds: 300,
  write,
}
