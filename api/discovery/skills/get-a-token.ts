// The skill `get-a-token`. Pure.
import type { Skill } from './skill.ts'

export const getAToken: Skill = {
  name: 'get-a-token',
  title: 'Get a token',
  description:
    'Register an agent anonymously and read with a bearer token of scope proposals:read. Reading needs no token. Use this to identify your agent, or when its owner wants to claim it.',
  queries: ['Register this agent', 'Get an access token for the governance API'],
  body: ({ service: { urls } }) => `
Reading needs no token: a token identifies the agent. No token can vote or move funds. All methods and errors are in ${urls.authMd}.

\`\`\`sh
curl -fsS '${urls.identity}' -H 'content-type: application/json' -d '{"type":"anonymous"}' -o registration.json
TOKEN=$(sed -n 's/.*"access_token": *"\\([^"]*\\)".*/\\1/p' registration.json)
curl -fsS '${urls.proposals}' -H "authorization: Bearer $TOKEN" -o proposals.json
\`\`\`

The token is valid for 15 minutes. After a 401 exchange the identity assertion for a new token. Register again only if that fails.

\`\`\`sh
ASSERTION=$(sed -n 's/.*"identity_assertion": *"\\([^"]*\\)".*/\\1/p' registration.json)
curl -fsS '${urls.token}' -d grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer -d "assertion=$ASSERTION" -o token.json
TOKEN=$(sed -n 's/.*"access_token": *"\\([^"]*\\)".*/\\1/p' token.json)
curl -fsS '${urls.health}' -H "authorization: Bearer $TOKEN"
\`\`\`

Keep \`registration.json\` private: it has secrets. Revoke the token when you no longer need it:

\`\`\`sh
curl -fsS '${urls.revoke}' -d "token=$TOKEN"
\`\`\`
`,
}
