// Reads the table of planted defects.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import type { GuaranteeId } from '../guarantees.ts'

/** `from` occurs once in the file. */
type Planted = Record<'file' | 'from' | 'to', string>

/** Found by the tests of the guarantee, or by one test: its file below `test/`, and words of its sentence. */
export type Defect = Planted & ({ guarantee: GuaranteeId } | { defect: string; found: string })

const DEFECTS_FILE = fileURLToPath(new URL('defects.yaml', import.meta.url))

export const DEFECTS = parse(readFileSync(DEFECTS_FILE, 'utf8')) as readonly Defect[]

export const nameOf = (defect: Defect): string =>
  'guarantee' in defect ? `${defect.guarantee}: ${defect.from} → ${defect.to}` : defect.defect
