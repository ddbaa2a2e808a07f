// The texts of a proposal, and more facts of it: who submitted it with which deposit, and what its metadata says.
import type { ProposalPageData } from '../../resources/proposal-page.ts'
import { Fact, Facts, Quotations, Section } from '../../view/blocks.tsx'
import {
  Code,
  Coins,
  Drawn,
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

export function ProposalFacts({ of: proposal }: Of) {
  const { totalDeposit, metadata, submittedAt, failedReason, depositEndTime } = proposal
  const { authors, forumUrl, proposer } = proposal
  const { txHash = null, height = null } = submittedAt ?? {}
  return (
    <Section id="details" title="Details">
      <Facts id="facts" isLive>
        <Fact name="Proposer">
          <Proposer of={proposer} />
        </Fact>
        <Fact name="Deposit">
          <Coins of={totalDeposit} />
        </Fact>
        <Fact name="Deposit period ends">
          <Time of={depositEndTime} />
        </Fact>
        {txHash !== null && (
          <Fact name="Transaction">
            <Transaction txHash={txHash} height={height} />
          </Fact>
        )}
        {authors.length > 0 && (
          <Fact name="Authors (from the metadata)">
            {authors.map((author, n) => [n > 0 && ', ', <Quoted text={author} />])}
          </Fact>
        )}
        {forumUrl !== null && (
          <Fact name="Forum (from the metadata)">
            <LinkedText text={forumUrl} />
          </Fact>
        )}
        {metadata !== '' && (
          <Fact name="Metadata">
            <Drawn text={<Quoted text={metadata} />}>
              <span class="metadata">
                <LinkedText text={truncate(metadata, LONGEST_METADATA)} />
              </span>
            </Drawn>
          </Fact>
        )}
        {failedReason !== null && (
          <Fact name="Failure reason">
            <Quoted text={failedReason} />
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
