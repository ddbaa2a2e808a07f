// Bounds of what others write into a proposal, for events and rows. A chain can allow more than its defaults, and a node can lie. Pure.

/** In bytes of UTF-8. The SDK limits a title and the metadata to 255 characters by default. */
export const MAX_TEXT_BYTES = 64 * 2 ** 10
/** The SDK limits a summary to 40 times the metadata: 10,200 characters by default, 408,000 on some chains. */
export const MAX_SUMMARY_BYTES = 512 * 2 ** 10

/** A proposal lists the types of so many messages, and the number of all. */
export const MAX_LISTED_TYPES = 20

/** At most `maxBytes` before the "…", without half a character. */
export const boundText = (text: string, maxBytes: number): string => {
  if (text.length <= maxBytes / 3 || Buffer.byteLength(text) <= maxBytes) return text
  const kept = Buffer.from(text.slice(0, maxBytes)).subarray(0, maxBytes).toString()
  return `${kept.replace(/\uFFFD+$/, '')}…`
}

/** Without a visible character. */
export const isBlank = (text: string): boolean => /^[\s\p{Cc}\p{Cf}\p{Cs}]*$/u.test(text)
