// The skill `follow-a-live-vote`. Pure.
import { FIRST_ID, type Skill } from './skill.ts'

export const followALiveVote: Skill = {
  name: 'follow-a-live-vote',
  title: 'Follow a live vote',
  description:
    'Watch an open governance vote and notice every change of its tally without downloading what is known already. Use it when asked to monitor a vote, or to tell when it ends.',
  queries: [
    'Tell me when proposal 42 passes',
    'Watch the turnout of the open vote',
    'Which votes end next?',
  ],
  body: ({ service: { urls } }) => `
No token is needed. What a block changed is served within a second or so.

## Which vote

\`\`\`sh
ID=$(curl -fsS '${urls.proposals}?status=voting_period' | ${FIRST_ID})
test -n "$ID" || ID=$(curl -fsS '${urls.proposals}' | ${FIRST_ID})
echo "following proposal $ID"
\`\`\`

\`votingEndTime\` says when it ends. \`tally.final\` turns true when it has: after that nothing changes any more, so stop.

## Ask only for what changed

Every answer has an \`ETag\`. Sent back, it costs a 304 without a body while nothing has changed:

\`\`\`sh
for LOOK in 1 2; do
  test "$LOOK" = 1 || sleep 5
  STATUS=$(curl -sS "${urls.proposals}/$ID" --etag-compare tag.txt --etag-save tag.txt -o proposal.json -w '%{http_code}')
  echo "look $LOOK: $STATUS"
done
\`\`\`

Go on like this for as long as the vote is open: once in five seconds is plenty. \`RateLimit\` says what is left of the quota; after a 429 wait \`Retry-After\` seconds.

## Be told

\`GET ${urls.stream}?proposalId=…\` is a stream of server-sent events: \`proposal\` says that it changed. After a break send the last \`id\` as
\`Last-Event-ID\` and it goes on from there; \`reset\` means that what was missed cannot be told: read anew.

## Is the service itself up to date?

\`\`\`sh
curl -fsS '${urls.health}'
\`\`\`

\`freshnessSeconds\` is how long the oldest known height has waited to be served; \`status\` is ok, catching_up or degraded.
`,
}
