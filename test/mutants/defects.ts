// Reads the table of planted defects.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** `found`: the file of the test below `test/`, and words of its sentence. `from` occurs once in the file. */
export type Defect = Record<'defect' | 'file' | 'from' | 'to' | 'found', string>

export const DEFECTS = parse(
  readFileSync(new URL('defects.yaml', import.meta.url), 'utf8'),
) as readonly Defect[]
