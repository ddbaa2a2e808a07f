// What a search text means: the number of a proposal, and words that must all occur. Pure.

const MAX_UINT64 = 2n ** 64n - 1n
/** `20`, `#20` or `Proposal 20`. */
const NUMBER = /^(?:(?:proposal|prop)\b\.?)?\s*[#№]?\s*([0-9]{1,40})$/i
/** A phrase in quotation marks is one word. */
const WORD = /["“„]([^"“”]+)["”]|(\S+)/gu

/** Without leading zeros; undefined if the text is no number of a proposal. */
export const parseProposalNumber = (text: string): string | undefined => {
  const digits = NUMBER.exec(text.trim())?.[1]
  if (digits === undefined || BigInt(digits) > MAX_UINT64) return undefined
  return `${BigInt(digits)}`
}

/** The words of a text; phrases keep their spaces. */
export const splitWords = (text: string): string[] =>
  [...text.matchAll(WORD)]
    .map(([, phrase, word]) => (phrase ?? word ?? '').trim())
    .filter((word) => word !== '')
