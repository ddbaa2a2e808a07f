// Own texts with `code` and **bold**, as the OpenAPI document has them, as a line of a page. Pure.
import { command, type Inline, strong } from './line.ts'

const MARKED = /(`[^`]+`|\*\*[^*]+\*\*)/

const readPiece = (text: string, at: number): Inline => {
  // `split` puts the marked pieces at odd positions.
  if (at % 2 === 0) return text
  return text.startsWith('`') ? command(text.slice(1, -1)) : strong(readMarks(text.slice(2, -2)))
}

export const readMarks = (text: string): Inline => text.split(MARKED).map(readPiece)
