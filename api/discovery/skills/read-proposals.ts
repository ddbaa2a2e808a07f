// The skill `read-proposals`. Pure.
import { NULL_MEANS } from '../../schemas/common.ts'
import { FIRST_ID, type Skill } from './skill.ts'

export const readProposals: Skill = {
  name: 'read-proposals',
  title: 'Read proposals',
  description:
    'List, search and read the governance proposals of a Cosmos SDK chain, with status, dates and tally. Use it when asked what is being voted on, what was decided, or by what margin.',
  queries: [
    'What is being voted on right now?',
    'Find proposals about the quorum',
    'Did proposal 42 pass, and by how much?',
  ],
  body: ({ service: { urls } }) => `
No token is needed. Answers are JSON on one line; the commands below need nothing but \`curl\` and \`sed\`.

## The newest first

\`\`\`sh
curl -fsS '${urls.proposals}' -o proposals.json
ID=$(${FIRST_ID} proposals.json)
echo "the newest proposal is $ID"
\`\`\`

20 a page. \`page.nextCursor\` leads on without missing or repeating one, also while new ones are submitted:

\`\`\`sh
CURSOR=$(sed -n 's/.*"nextCursor":"\\([^"]*\\)".*/\\1/p' proposals.json)
test -z "$CURSOR" || curl -fsS "${urls.proposals}?cursor=$CURSOR" -o more.json
\`\`\`

## Some of them

\`status\` is one or more of deposit_period, voting_period, passed, rejected, failed, canceled, dropped. \`q\` is looked for in title and summary;
\`proposer\` is an account; \`messageType\` is the type of a message, or a package of types.

\`\`\`sh
curl -fsS '${urls.proposals}?status=passed,rejected'
curl -fsS '${urls.proposals}?q=quorum'
curl -fsS '${urls.proposals}?messageType=cosmos.gov.v1'
\`\`\`

## One of them

\`\`\`sh
curl -fsS "${urls.proposals}/$ID"
curl -fsS "${urls.proposals}/$ID/deposits"
\`\`\`

It carries \`messages\` (what it would do), \`changes\` (the parameters that it would change, from what to what), \`tally\` and the first page of its votes. Read it so:

- \`tally.final\` is true once the numbers can no longer change. \`tally.turnout\` is against the stake bonded at the tally.
- \`tally.matchesChain\` says whether the tally computed from the events is the one the chain came to.
- \`depositRequirement.missing\` is what the deposits lack of the minimum that starts the vote; \`/deposits\` says who deposited.
- \`links.proof\` is the address of what proves its state: a client that trusts one header of the chain can verify status and final tally with it.
- Amounts are decimal strings in the chain's base unit.
- ${NULL_MEANS}.
- An id that there is not answers 404 with \`code\` proposal-not-found.
`,
}
