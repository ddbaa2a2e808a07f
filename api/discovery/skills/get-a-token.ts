// The skill `get-a-token`. Pure.
import type { Skill } from './skill.ts'

export const getAToken: Skill = {
  name: 'get-a-token',
  title: 'Get a token',
  description:
    'Register an agent anonymously and read with a bearer token of scope proposals:read. Optional: reading needs no token. Use it when reads are to be known as yours, or when a human wants to claim the agent.',
  queries: ['Register this agent', 'Get an access token for the governance API'],
  body: ({ service: { urls } }) => `
Reading needs no token; one says who reads. No token can vote or move funds. All ways and errors: ${urls.authMd}

\`\`\`sh
curl -fsS '${urls.identity}' -H 'content-type: application/json' -d '{"type":"anonymous"}' -o registration.json
TOKEN=$(sed -n 's/.*"access_token": *"\\([^"]*\\)".*/\\1/p' registration.json)
curl -fsS '${urls.proposals}' -H "authorization: Bearer $TOKEN" -o proposals.json
\`\`\`

It lives 15 minutes. After a 401 exchange the identity assertion once more, and only then register again:

\`\`\`sh
ASSERTION=$(sed -n 's/.*"identity_assertion": *"\\([^"]*\\)".*/\\1/p' registration.json)
curl -fsS '${urls.token}' -d grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer -d "assertion=$ASSERTION" -o token.json
TOKEN=$(sed -n 's/.*"access_token": *"\\([^"]*\\)".*/\\1/p' token.json)
curl -fsS '${urls.health}' -H "authorization: Bearer $TOKEN"
\`\`\`

Keep \`registration.json\` to yourself: what is in it is secret. When done:

\`\`\`sh
curl -fsS '${urls.revoke}' -d "token=$TOKEN"
\`\`\`
`,
}
