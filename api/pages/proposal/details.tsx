// The texts of a proposal, and more facts of it: who submitted it with which deposit, and what its metadata says.
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import { Facts, Quotations, Section } from '../../view/blocks.tsx'
import {
  Code,
  Coins,
  Link,
  LinkedText,
  Quoted,
  Time,
  Transaction,
  Unknown,
} from '../../view/parts.tsx'
import { voterPath, withQuery } from '../../view/paths.ts'
import { Prose } from '../../view/prose.tsx'
import { plainLine } from '../../words/texts.ts'
import { TextSource } from './head.tsx'

type Of = { of: ProposalPageData }

/** As its proposer wrote it. */
export function Description({ of: { summary, summarySource } }: Of) {
  return (
    <Section id="text" title="Description">
      <p class="small soft">Written by the proposer. Its statements and links are not verified.</p>
      <Quotations of="The title and the description" />
      <TextSource source={summarySource} name="description" />
      <Prose of={summary} />
    </Section>
  )
}

const LONGEST_METADATA = 1_000

/** One line of at most `length` characters, without unpaired surrogates. */
const truncate = (text: string, length: number): string => {
  const letters = [...plainLine(text)]
  return letters.length <= length ? letters.join('') : `${letters.slice(0, length).join('')}…`
}

function Proposer({ of }: { of: string | null }) {
  if (of === null) return <Unknown />
  return (
    <>
      <Link to={voterPath(of)}>
        <Code>{of}</Code>
      </Link>{' '}
      <Link to={withQuery('/proposals', { proposer: of })} class="small">
        all proposals of this account
      </Link>
    </>
  )
}

function Metadata({ of }: { of: string }) {
  return (
    <span class="metadata">
      <LinkedText text={truncate(of, LONGEST_METADATA)} />
    </span>
  )
}
Metadata.text = ({ of }: { of: string }) => <Quoted text={of} />

export function ProposalFacts({ of: proposal }: Of) {
  const { totalDeposit, metadata, submittedAt, failedReason, depositEndTime } = proposal
  const { authors, forumUrl, proposer } = proposal
  const { txHash = null, height = null } = submittedAt ?? {}
  return (
    <Section id="details" title="Details">
      <Facts
        id="facts"
        isLive
        of={[
          ['Proposer', <Proposer of={proposer} />],
          ['Deposit', <Coins of={totalDeposit} />],
          ['Deposit period ends', <Time of={depositEndTime} />],
          txHash !== null && ['Transaction', <Transaction txHash={txHash} height={height} />],
          authors.length > 0 && [
            'Authors (from the metadata)',
            authors.map((author, n) => [n > 0 && ', ', <Quoted text={author} />]),
          ],
          forumUrl !== null && ['Forum (from the metadata)', <LinkedText text={forumUrl} />],
          metadata !== '' && ['Metadata', <Metadata of={metadata} />],
          failedReason !== null && ['Failure reason', <Quoted text={failedReason} />],
        ]}
      />
    </Section>
  )
}
