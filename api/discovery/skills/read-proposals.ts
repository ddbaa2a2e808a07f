// The skill `read-proposals`. Pure.
import { NULL_MEANS } from '../../schemas/common.ts'
import { FIRST_ID, type Skill } from './skill.ts'

export const readProposals: Skill = {
  name: 'read-proposals',
  title: 'Read proposals',
  description:
    'List, search and read the governance proposals of a Cosmos SDK chain, with status, dates and tally. Use this for questions about open votes, results and margins.',
  queries: [
    'What is being voted on right now?',
    'Find proposals about the quorum',
    'Did proposal 42 pass, and by how much?',
  ],
  body: ({ service: { urls } }) => `
No token is needed. Responses are JSON on one line. The commands need only \`curl\` and \`sed\`.

## The newest proposals

\`\`\`sh
curl -fsS '${urls.proposals}' -o proposals.json
ID=$(${FIRST_ID} proposals.json)
echo "the newest proposal is $ID"
\`\`\`

A page has 20 proposals. \`page.nextCursor\` is the cursor of the next page. No proposal is skipped or repeated, also while new ones are submitted:

\`\`\`sh
CURSOR=$(sed -n 's/.*"nextCursor":"\\([^"]*\\)".*/\\1/p' proposals.json)
test -z "$CURSOR" || curl -fsS "${urls.proposals}?cursor=$CURSOR" -o more.json
\`\`\`

## Filters

| parameter | value |
|---|---|
| \`status\` | one or more of deposit_period, voting_period, passed, rejected, failed, canceled, dropped |
| \`q\` | a text in title or summary |
| \`proposer\` | an account address |
| \`messageType\` | the type of a message, or a package of types |

\`\`\`sh
curl -fsS '${urls.proposals}?status=passed,rejected'
curl -fsS '${urls.proposals}?q=quorum'
curl -fsS '${urls.proposals}?messageType=cosmos.gov.v1'
\`\`\`

## One proposal

\`\`\`sh
curl -fsS "${urls.proposals}/$ID"
curl -fsS "${urls.proposals}/$ID/deposits"
\`\`\`

The response has \`messages\`, \`changes\` (old and new parameter values), \`tally\` and the first page of votes:

- \`tally.final\` is true when the numbers can no longer change. \`tally.turnout\` is the share of the stake that was bonded at the tally.
- \`tally.matchesChain\` is \`yes\` if the tally computed from the events equals the tally of the chain.
- \`depositRequirement.missing\` is the deposit that is still needed to start the vote. \`/deposits\` lists all deposits.
- \`links.proof\` is the URL of a proof. A client that trusts one header of the chain can verify status and final tally with it.
- Amounts are decimal strings in the chain's base unit.
- ${NULL_MEANS}
- The response for an unknown id is a 404 with \`code\` proposal-not-found.
`,
}
