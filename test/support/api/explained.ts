// Explains one message, with the chain state that a test defines.
import { createMessageExplainer, type ExplainedProposal } from '../../../api/explain/explain.ts'
import type { Explanation } from '../../../api/schemas/explanation.ts'
import type { ProposalContext } from '../../../projections/contract/proposal-json.ts'

type Response = Record<string, unknown> | null

/** The result of one state query at height 1,000. */
export const observed = (
  query: string,
  request: Record<string, unknown>,
  response: Response,
): ProposalContext['observations'][number] => ({
  query,
  request,
  response,
  height: 1_000,
  reason: response === null ? 'the node has no such query' : null,
})

/** Metadata of the bank module for a unit that equals a million base units. */
export const createMetadata = (denom: string, display: string, symbol = '') =>
  observed(
    '/cosmos.bank.v1beta1.Query/DenomMetadata',
    { denom },
    {
      metadata: {
        description: '',
        base: denom,
        display,
        name: display,
        symbol,
        uri: '',
        uri_hash: '',
        denom_units: [
          { denom, exponent: 0, aliases: [] },
          { denom: display, exponent: 6, aliases: [] },
        ],
      },
    },
  )

type Given = Partial<Omit<ExplainedProposal, 'context'>> & Partial<ProposalContext>

export const explainAll = (
  messages: readonly unknown[],
  { observations = [], earlierBlock = null, ...given }: Given = {},
): Explanation[] => {
  const explainOne = createMessageExplainer({
    changes: [],
    changesReason: null,
    displayUnit: undefined,
    submittedAt: { height: 1_000 },
    submitTime: '2026-11-21T08:00:00Z',
    ...given,
    context: { observations, earlierBlock },
  })
  return messages.map(explainOne)
}

export const explain = (message: unknown, given: Given = {}): Explanation => {
  const [explanation] = explainAll([message], given)
  if (!explanation) throw new Error('a message without an explanation')
  return explanation
}

/** `label: text` of each detail. */
export const lines = ({ details }: Explanation): string[] =>
  details.map(({ label, value }) => `${label}: ${value.text}`)

/** The same text with spaces in place of the narrow ones between groups of digits. */
export const plain = (text: string): string => text.replaceAll('\u202f', ' ')
