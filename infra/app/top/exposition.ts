// Parses the metrics of Rollcall from the text format of Prometheus. Pure.

export type Sample = {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

const PREFIX = 'rollcall_'
const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g

const unescapeLabel = (text: string): string =>
  text.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped))

const labelsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(LABEL)].map(([, name = '', value = '']) => [name, unescapeLabel(value)]),
  )

/** Skips lines without a sample and values that are not numbers. */
export const parseExposition = (text: string): Sample[] =>
  text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = (line.startsWith(PREFIX) && LINE.exec(line)) || []
    if (name === undefined || !Number.isFinite(Number(value))) return []
    return [{ name, labels: labelsIn(labels), value: Number(value) }]
  })
