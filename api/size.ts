// Limits of the JSON of a value: in bytes, or in tokens of a language model. Pure.

export type SizeLimit = { max: number; measure: (json: string) => number }

export const inBytes = (max: number): SizeLimit => ({ max, measure: Buffer.byteLength })

/** Two steps, because one expression for mixed characters would take quadratic time. */
const RUN = /[a-z\d+/=]{16,}/gi

/** Addresses and hashes have digits between letters; base64 also has letters of both cases. */
const classify = (run: string): 'words' | 'random' | 'base64' => {
  if (!/\d/.test(run) || !/[a-z]/i.test(run)) return 'words'
  return /[a-z]/.test(run) && /[A-Z]/.test(run) ? 'base64' : 'random'
}

/** Tokens per character, fitted to the JSON of this API with the encodings o200k and cl100k. */
const WEIGHTS = {
  base64: 0.72,
  random: 0.61,
  letter: 0.205,
  digit: 0.25,
  sign: 0.64,
  other: 1.5,
} as const

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0

/** An estimate of the tokens of a JSON text, which is rarely below those of both encodings. */
export const estimateTokens = (json: string): number => {
  const runs = { random: 0, base64: 0 }
  const readable = json.replace(RUN, (run) => {
    const kind = classify(run)
    if (kind === 'words') return run
    runs[kind] += run.length
    return ''
  })
  const letters = count(readable, /[a-z ]/gi)
  const digits = count(readable, /\d/g)
  const others = count(readable, /[\u0080-\uffff]/g)
  return Math.ceil(
    WEIGHTS.base64 * runs.base64 +
      WEIGHTS.random * runs.random +
      WEIGHTS.letter * letters +
      WEIGHTS.digit * digits +
      WEIGHTS.sign * (readable.length - letters - digits - others) +
      WEIGHTS.other * others,
  )
}

export const inTokens = (max: number): SizeLimit => ({ max, measure: estimateTokens })

/** The limit without what another part of the same answer takes. */
export const reduceBy = ({ max, measure }: SizeLimit, part: unknown): SizeLimit => ({
  max: max - measure(JSON.stringify(part)),
  measure,
})

export const fits = (value: unknown, { max, measure }: SizeLimit): boolean =>
  measure(JSON.stringify(value)) <= max
