// Counts, times, durations and recorded reasons in words. Pure.

/** `1 page`, `2 pages`. */
export const pluralize = (count: number | string, one: string, many = `${one}s`): string =>
  `${count} ${`${count}` === '1' ? one : many}`

/** A time in UTC, to the second: `2026-11-21 08:00:00 UTC`. */
export const utcTime = (time: string): string =>
  `${time.replace('T', ' ').replace(/(\.\d+)?Z$/, '')} UTC`

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** The whole number of each unit, from days to seconds. */
export const splitDuration = (seconds: number) => {
  let rest = Math.floor(seconds)
  return UNITS.map(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return { unit, count }
  })
}

/** `about 3 days`: the largest unit, rounded down. */
export const durationInWords = (seconds: number): string => {
  const largest = splitDuration(seconds).find(({ count }) => count > 0)
  return largest ? `about ${pluralize(largest.count, largest.unit)}` : 'less than a second'
}

/** Words of operators, with the words of readers. */
const PLAIN_WORDS: readonly (readonly [words: RegExp, plain: string])[] = [
  [/\b(?:the )?first indexed height (\d+)/g, 'block $1, the first one that Rollcall has'],
  [/\bthe first indexed height\b/g, 'the first block that Rollcall has'],
  [/\brefused \([\w/.-]+ \d+\)/g, 'refused'],
  [/\brpc error: code = \w+ desc = /g, ''],
  [/\bheight (?=\d)/g, 'block '],
  [/\bnode\b/g, 'server'],
]

/** A recorded reason in the words of readers. A node is a server of the chain. */
export const plainReason = (reason: string): string =>
  PLAIN_WORDS.reduce((text, [words, plain]) => text.replace(words, plain), reason)
