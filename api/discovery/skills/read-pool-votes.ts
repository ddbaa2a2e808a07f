// The skill `read-pool-votes`. Pure.
import { FIRST_ID, type Skill } from './skill.ts'

export const readPoolVotes: Skill = {
  name: 'read-pool-votes',
  title: 'How did a pool vote',
  description:
    'Find how a pool (a validator with the stake delegated to it) voted on governance proposals, with what power, and what its delegators did against it. Use it when asked how a validator voted, what it missed, or who decided a vote.',
  queries: [
    'How did this validator vote on the last proposals?',
    'Which pools voted no on proposal 42?',
    'Did delegators overrule their validator?',
  ],
  body: ({ service: { urls } }) => `
No token is needed. Answers are JSON on one line; the commands below need nothing but \`curl\` and \`sed\`.

## From a name to a pool

Pools are known by their operator address (\`…valoper1…\`). Look for the \`moniker\` in the list, most tokens first, 100 a page:

\`\`\`sh
curl -fsS '${urls.pools}' -o pools.json
POOL=$(sed -n 's/^{"items":\\[{"operatorAddress":"\\([a-z0-9]*\\)".*/\\1/p' pools.json)
echo "the largest pool is $POOL"
\`\`\`

Monikers are free text and may be copied: where two are alike, name both addresses.

## Everything it voted on

\`\`\`sh
curl -fsS "${urls.pools}/$POOL/votes"
\`\`\`

Newest proposal first. \`vote\` is null where only its delegators voted; \`votingPower\` is then what its vote would have carried.

## Every pool's vote on one proposal

\`\`\`sh
ID=$(curl -fsS '${urls.proposals}?status=passed,rejected' | ${FIRST_ID})
curl -fsS "${urls.proposals}/$ID/votes"
\`\`\`

One row per pool, 100 a page, in the order in which they appeared, so that pages never shift. Of a row:

- \`vote.options\`: one option, or several with weights that add up to 1.
- \`delegators\`: those of its delegators who voted themselves; their stake is deducted from the pool's \`votingPower\`.
- \`tally\`: both together. The rows add up to the proposal's tally, to the last unit.
- An expedited vote that fell back was held twice: \`?round=1\` is the first.

## Voter by voter

\`\`\`sh
curl -fsS "${urls.proposals}/$ID/ballots" -o ballots.json
VOTER=$(sed -n 's/^{"items":\\[{"voter":"\\([a-z0-9]*\\)".*/\\1/p' ballots.json)
curl -fsS "${urls.api}/voters/$VOTER/votes"
\`\`\`
`,
}
