// The skill `follow-a-live-vote`. Pure.
import { FIRST_ID, type Skill } from './skill.ts'

export const followALiveVote: Skill = {
  name: 'follow-a-live-vote',
  title: 'Follow a live vote',
  description:
    'Monitor an open governance vote and detect each change of its tally without repeated downloads. Use this to monitor a vote or to report its end.',
  queries: [
    'Tell me when proposal 42 passes',
    'Watch the turnout of the open vote',
    'Which votes end next?',
  ],
  body: ({ service: { urls } }) => `
No token is needed. The changes of a block are available after about one second.

## Choose a vote

\`\`\`sh
ID=$(curl -fsS '${urls.proposals}?status=voting_period' | ${FIRST_ID})
test -n "$ID" || ID=$(curl -fsS '${urls.proposals}' | ${FIRST_ID})
echo "following proposal $ID"
\`\`\`

The vote ends at \`votingEndTime\`. After its end \`tally.final\` is true and nothing changes: stop then.

## Poll for changes

Every response has an \`ETag\`. Send it as \`If-None-Match\`: the response is a 304 without a body while nothing has changed.

\`\`\`sh
for POLL in 1 2; do
  test "$POLL" = 1 || sleep 5
  STATUS=$(curl -sS "${urls.proposals}/$ID" --etag-compare tag.txt --etag-save tag.txt -o proposal.json -w '%{http_code}')
  echo "poll $POLL: $STATUS"
done
\`\`\`

Repeat this every five seconds while the vote is open. \`RateLimit\` has the remaining quota. After a 429 wait \`Retry-After\` seconds.

## Listen for changes

\`GET ${urls.stream}?proposalId=…\` is a stream of server-sent events. An event \`proposal\` means that the proposal has changed.
To resume after an interruption, send the last \`id\` as \`Last-Event-ID\`.
An event \`reset\` means that the stream cannot resume: read the proposal again.

## Check the freshness of the service

\`\`\`sh
curl -fsS '${urls.health}'
\`\`\`

\`freshnessSeconds\` is the age of the oldest height that is not indexed yet. \`status\` is \`ok\`, \`catching_up\` or \`degraded\`.
`,
}
