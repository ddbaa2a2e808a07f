// Tests the rows from observed state of a proposal, and from the long bytes of its messages.
import { expect, it } from 'vitest'
import { toPosition } from '../../../../ingest/contract/envelope.ts'
import { given } from '../../../support/fold/given.ts'
import { messageBytes, proposalContext } from '../../../support/log/context-events.ts'
import {
  closed,
  createHeightEvents,
  snapshot,
  submitted,
  votingStarted,
} from '../../../support/log/governance-events.ts'
import { proposalState } from '../../../support/log/governance-values.ts'

const query = '/cosmos.gov.v1.Query/Params'
const inForce = (quorum: string) => ({
  observations: [{ query, request: {}, response: { params: { quorum } }, reason: null }],
})
const messages = [{ '@type': '/cosmos.gov.v1.MsgUpdateParams', params: { quorum: '0.35' } }]

const changing = submitted('7', { messages })
const quorumFrom = (from: string) =>
  JSON.stringify({
    changes: [{ message: 0, path: 'quorum', from, to: '0.35' }],
    reason: null,
  })

it('shows the changes of a proposal, compared with the state at its submission', () => {
  const context = proposalContext('7', inForce('0.334'))
  given(createHeightEvents(4, [changing, context])).expectRow('proposals', {
    changes: quorumFrom('0.334'),
  })
})

it('compares with the latest parameters while the proposal is open, and moves its watermark', () => {
  given(
    createHeightEvents(4, [changing, proposalContext('7', inForce('0.334'))]),
    createHeightEvents(9, [proposalContext('7', inForce('0.3'))]),
  )
    .expectRow('proposals', { changes: quorumFrom('0.3') })
    .expectRow('watermarks', { position: toPosition({ height: 9, index: 4096 + 2 }).toString() })
})

it('ignores observations at the close of a proposal or later', () => {
  given(
    createHeightEvents(4, [changing, proposalContext('7', inForce('0.334')), votingStarted('7')]),
    createHeightEvents(5, [closed('7'), proposalContext('7', inForce('0.35'))]),
    createHeightEvents(6, [proposalContext('7', inForce('0.35'))]),
  ).expectRow('proposals', { changes: quorumFrom('0.334') })
})

it('has no rows for a proposal that only a context event names', () => {
  given(createHeightEvents(4, [proposalContext('8', inForce('0.334'))]))
    .expectRows('proposals', [])
    .expectRows('watermarks', [])
})

it('reports unknown changes if nothing was observed', () => {
  const earlier = { proposal: proposalState('7'), messages, round: 0 }
  given(createHeightEvents(4, [snapshot({ proposals: [earlier] })])).expectRow('proposals', {
    changes: '{"changes":null,"reason":"message 0: the current parameters were not observed"}',
  })
})

it('keeps the bytes of a long field in their chunks, also for a closed proposal', () => {
  const code = Buffer.from('code')
  const over = { proposal: proposalState('7', { status: 'passed' }), messages: [], round: 1 }
  const first = { chunk: 0, chunks: 2, message: 1 }
  given(
    createHeightEvents(4, [
      snapshot({ proposals: [over] }),
      messageBytes('7', code, first),
      messageBytes('7', code, { ...first, chunk: 1 }),
    ]),
  ).expectRows('message_bytes', [
    {
      proposal_id: '7',
      message: 1,
      path: '/wasm_byte_code',
      chunk: 0,
      chunks: 2,
      size: '4',
      bytes: code.toString('base64'),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      version: toPosition({ height: 4, index: 2 * 4096 + 3 }).toString(),
    },
    { chunk: 1 },
  ])
})
