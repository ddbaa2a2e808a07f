// The skill `read-pool-votes`. Pure.
import { FIRST_ID, type Skill } from './skill.ts'

export const readPoolVotes: Skill = {
  name: 'read-pool-votes',
  title: 'Read the votes of a pool',
  description:
    'Read the governance votes of a pool: its options, its voting power, and the votes of its delegators. A pool is a validator with the stake delegated to it. Use this for questions about the votes of a validator, or about the pools that decided a vote.',
  queries: [
    'How did this validator vote on the last proposals?',
    'Which pools voted no on proposal 42?',
    'Did delegators vote against their validator?',
  ],
  body: ({ service: { urls } }) => `
No token is needed. Responses are JSON on one line. The commands need only \`curl\` and \`sed\`.

## Find a pool by name

The id of a pool is its operator address (\`…valoper1…\`). Find the \`moniker\` in the list of pools, sorted by bonded tokens, 100 per page:

\`\`\`sh
curl -fsS '${urls.pools}' -o pools.json
POOL=$(sed -n 's/^{"items":\\[{"operatorAddress":"\\([a-z0-9]*\\)".*/\\1/p' pools.json)
echo "the largest pool is $POOL"
\`\`\`

Monikers are free text and not unique. If two pools have similar monikers, report both addresses.

## All votes of a pool

\`\`\`sh
curl -fsS "${urls.pools}/$POOL/votes"
\`\`\`

The newest proposal is first. \`vote\` is null where only delegators voted. \`votingPower\` is then the power that a vote of the pool would have had.

## All pools of one proposal

\`\`\`sh
ID=$(curl -fsS '${urls.proposals}?status=passed,rejected' | ${FIRST_ID})
curl -fsS "${urls.proposals}/$ID/votes"
\`\`\`

One row per pool, 100 per page, in the order of first appearance: pages never shift. Members of a row:

- \`vote.options\`: one option, or several options with weights that add up to 1.
- \`delegators\`: the delegators who voted themselves. Their stake is deducted from the \`votingPower\` of the pool.
- \`tally\`: the sum of both. The rows add up exactly to the tally of the proposal.
- An expedited vote that failed has a second round. \`?round=1\` is the first round.

## Votes per voter

\`\`\`sh
curl -fsS "${urls.proposals}/$ID/ballots" -o ballots.json
VOTER=$(sed -n 's/^{"items":\\[{"voter":"\\([a-z0-9]*\\)".*/\\1/p' ballots.json)
curl -fsS "${urls.api}/voters/$VOTER/votes"
\`\`\`
`,
}
