// `/problems/{code}`: what a problem code means.
import { readMarks } from '../document/marked-text.ts'
import { type Document, paragraph } from '../document/tree.ts'
import { PROBLEMS, type ProblemCode } from '../problem.ts'

export const writeProblemCode = (code: ProblemCode): Document => {
  const { status, title, meaning } = PROBLEMS[code]
  return {
    title,
    description: title,
    path: `/problems/${code}`,
    blocks: [paragraph(readMarks(meaning)), paragraph(`HTTP ${status}, code ${code}`, 'soft')],
  }
}
